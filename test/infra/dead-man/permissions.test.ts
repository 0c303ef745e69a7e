import { describe, expect, it } from 'vitest';
import { takeOver } from '../../../infra/dead-man/take-over.ts';
import { deadMan } from '../../../infra/knative/dead-man.ts';
import { installationOf } from '../../../infra/knative/installation.ts';
import type { RenderOptions } from '../../../infra/knative/options.ts';
import type { AuditEntry } from '../../../infra/local/kubernetes/authorization/audit.ts';
import { silent } from '../../../shared/runtime/log.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { aStage } from '../hook/stage.ts';
import { written } from '../knative/rendered.ts';

const account = {
  name: 'system:serviceaccount:phaseout-dead-man:phaseout-dead-man',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:phaseout-dead-man'],
};

/** Lets the dead man look as its ServiceAccount, with the rights that are rendered for it. */
async function asked(namespaces?: string[]) {
  const audited: AuditEntry[] = [];
  const access = { users: { local: account }, audit: (entry: AuditEntry) => void audited.push(entry) };
  const stage = await aStage({ a: { isDeleting: true } }, { access });
  const options: RenderOptions = { machineApis: {}, ...(namespaces && { namespaces }) };
  for (const object of deadMan(installationOf(written(), options)))
    if (object.apiVersion?.startsWith('rbac.') === true) stage.apiServer.restore(object);
  await takeOver(
    { kubernetes: stage.kubernetes, nows: () => [systemClock.now()], log: silent },
    { installation: '', leaseNamespace: 'phaseout', namespaces: namespaces ?? [] },
  );
  const deeds = audited.filter(({ resource }) => resource !== '');
  return {
    refused: audited.filter(({ decision }) => decision !== 'allow'),
    deeds: [...new Set(deeds.map(({ verb, resource }) => `${verb} ${resource}`))],
    left: stage.annotations('a'),
  };
}

describe('the dead man asks for nothing that it may not', () => {
  it.each([[undefined], [['fleet', 'other']]])('for the Machines of namespaces %j', async (namespaces) => {
    expect(await asked(namespaces)).toEqual({
      refused: [],
      deeds: ['list machines', 'get leases', 'patch machines'],
      left: {},
    });
  });
});
