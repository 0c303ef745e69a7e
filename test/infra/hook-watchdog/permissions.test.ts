import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { takeOver } from '../../../infra/hook-watchdog/take-over.ts';
import { hookWatchdog } from '../../../infra/knative/hook-watchdog.ts';
import { installationOf } from '../../../infra/knative/installation.ts';
import type { RenderOptions } from '../../../infra/knative/options.ts';
import type { AuditEntry } from '../../../infra/local/kubernetes/authorization/access.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { silent } from '../../../shared/runtime/log.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { hookDefinitions } from '../../stories/stage/hook-definitions.ts';
import { aStage, machines } from '../hook/stage.ts';
import { written } from '../knative/rendered.ts';

const account = {
  name: 'system:serviceaccount:phaseout-dead-man:phaseout-dead-man',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:phaseout-dead-man'],
};

/** Lets the hook watchdog look as its ServiceAccount, with the rights that are rendered for it. */
async function asked(namespaces?: string[]) {
  const audited: AuditEntry[] = [];
  const access = { users: { local: account }, audit: (entry: AuditEntry) => void audited.push(entry) };
  const last = { 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/phaseout': 'phaseout.dev' };
  const given = { a: { isDeleting: true }, b: { isDeleting: true, annotations: last } };
  const stage = await aStage(given, { access });
  for (const definition of hookDefinitions)
    stage.cluster.create('customresourcedefinitions.apiextensions.k8s.io', definition);
  stage.cluster.create('deletionhooks.phaseout.dev', {
    metadata: { name: 'wipe', namespace: 'fleet' },
    spec: { at: 'PreTerminate' },
  });
  const options: RenderOptions = { machineApis: {}, ...(namespaces && { namespaces }) };
  const roles = hookWatchdog(installationOf(written(), options)).filter(({ apiVersion }) =>
    apiVersion?.startsWith('rbac.'),
  );
  for (const object of roles) stage.apiServer.restore(object);
  const { kubernetes, cluster } = stage;
  /** Somebody changes the Machine before the hook is taken off it. */
  const list: typeof kubernetes.list = async (...what) => {
    const found = await kubernetes.list(...what);
    const [machine] = found.items;
    if (machine?.kind === 'Machine') cluster.patch(machines, machine, { metadata: { labels: { x: 'y' } } });
    return found;
  };
  await takeOver(
    { kubernetes: { ...kubernetes, list }, nows: () => [systemClock.now()], log: silent },
    { installation: '', leaseNamespace: 'phaseout', namespaces: namespaces ?? [] },
  );
  const deeds = audited.filter(({ resource }) => resource !== '');
  return {
    refused: audited.filter(({ decision }) => decision !== 'allow'),
    deeds: new Set(deeds.map(({ verb, resource }) => `${verb} ${resource}`)),
    granted: new Set(roles.flatMap(deedsOf)),
    left: stage.annotations('a'),
  };
}

const ruleSchema = z.looseObject({ resources: z.array(z.string()), verbs: z.array(z.string()) });
const roleSchema = z.looseObject({ rules: z.array(ruleSchema).default([]) });

const deedsOf = (role: KubeObject): string[] =>
  roleSchema
    .parse(role)
    .rules.flatMap(({ resources, verbs }) =>
      verbs.flatMap((verb) => resources.map((resource) => `${verb} ${resource}`)),
    );

const ofMachines = ['list machines', 'patch machines', 'get machines'];
const deeds = new Set([...ofMachines, 'get leases', 'list deletionhooks', 'create events']);

describe('the hook watchdog asks for nothing that it may not, and for all that it may', () => {
  it.each([[undefined], [['fleet', 'other']]])('for the Machines of namespaces %j', async (namespaces) => {
    expect(await asked(namespaces)).toEqual({ refused: [], deeds, granted: deeds, left: {} });
  });
});
