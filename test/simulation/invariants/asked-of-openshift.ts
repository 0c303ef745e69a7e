import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { leases, ownLease } from '../platform/hook-watchdog.ts';
import { listedHook, withoutOurHook } from '../scenario/beside.ts';
import type { MachinePlan } from '../scenario/model.ts';
import type { Exchange } from '../wire/exchange.ts';
import { nodeOf } from './asked.ts';
import type { Invariant } from './invariant.ts';
import { pathOf } from './sight/json-patch.ts';
import { checkpointKey } from './sight/machine.ts';
import { openStage, type Stage } from './stage.ts';

const resource = 'machines.machine.openshift.io';
const key = { namespace: 'openshift-machine-api', name: 'worker-1' };

const plan: MachinePlan = { api: 'openshift', resource, ...key, host: 'blue', node: 'node-1' };

/**
 * A worker of OpenShift that phaseout has drained beside its own controllers. It has our hook, with or without a
 * deletion.
 */
export async function openBesideOpenShift(invariant: Invariant, isDeleted = true): Promise<Stage> {
  const stage = await openStage(invariant, { machines: [plan] });
  const { world } = stage;
  world.config = { ...world.config, mode: { capi: 'replace', openshift: 'beside', v1alpha1: 'replace' } };
  world.management.create('namespaces', { metadata: { name: key.namespace } });
  const made = world.management.create(resource, {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: {
      ...key,
      labels: { 'machine.openshift.io/cluster-api-cluster': 'shop' },
      finalizers: ['machine.machine.openshift.io'],
    },
    spec: { lifecycleHooks: { preDrain: [listedHook] }, providerSpec: { value: {} } },
  });
  change(stage, { status: { nodeRef: { name: 'node-1' }, conditions: [] } }, 'status');
  if (isDeleted) world.management.remove(resource, made);
  saveAt(stage, { passed: ['drain'] });
  cordonNode(stage, true);
  await stage.pass(60_000);
  return stage;
}

export function worker({ world }: Stage): KubeObject {
  const found = world.management.get(resource, key.namespace, key.name);
  if (found === undefined) throw new Error('worker-1 is gone');
  return found;
}

/** As somebody else would. */
export const change = (stage: Stage, patch: object, part?: 'status'): void =>
  void stage.world.management.patch(resource, { metadata: key }, patch, part);

export const cordonNode = (stage: Stage, unschedulable: boolean): void =>
  void stage.world.cluster('blue').patch('nodes', nodeOf(stage), { spec: { unschedulable } });

interface Saved {
  /** Phases that were passed as done. */
  passed: readonly string[];
  /** Our hook has gone. */
  isReleased?: boolean;
}

/** A checkpoint says so. */
export const saveAt = (stage: Stage, saved: Saved): void =>
  change(stage, { metadata: { annotations: { [checkpointKey]: checkpoint(stage, saved) } } });

function checkpoint(stage: Stage, { passed, isReleased = false }: Saved): string {
  const since = new Date(stage.world.now()).toISOString();
  const { uid } = worker(stage).metadata;
  const ways = Object.fromEntries(passed.map((phase) => [phase, { as: 'done', since }]));
  const released = isReleased && { released: since };
  return JSON.stringify({ v: 1, uid, seq: 3, phase: 'hand-over', since, passed: ways, ...released });
}

const patching = { verb: 'patch', ...key } as const;

function versionOf(stage: Stage): object {
  const { uid, resourceVersion } = worker(stage).metadata;
  return { uid, resourceVersion };
}

const tested = (stage: Stage): object[] => {
  const { uid, resourceVersion } = worker(stage).metadata;
  return [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
  ];
};

/** An instance marks the drain as done. */
export const mark = (stage: Stage, conditions: object[] = [drained]): Partial<Exchange> => ({
  ...patching,
  resource: `${resource}/status`,
  body: [...tested(stage), { op: 'replace', path: '/status/conditions', value: conditions }],
});

export const drained = { type: 'Drained', status: 'True', message: 'Drain finished successfully' } as const;

/** An instance takes our hook off, which has this owner, and says how phases were passed; it may do more. */
export function letGo(
  stage: Stage,
  passed: readonly string[],
  { owner = listedHook.owner, more = [] }: { owner?: string; more?: readonly object[] } = {},
): void {
  const hook = '/spec/lifecycleHooks/preDrain/0';
  const body = [
    ...tested(stage),
    { op: 'test', path: hook, value: { ...listedHook, owner } },
    { op: 'remove', path: hook },
    { op: 'add', path: pathOf(checkpointKey), value: checkpoint(stage, { passed, isReleased: true }) },
    ...more,
  ];
  stage.ask({ ...patching, resource, body }, () => change(stage, withoutOurHook(worker(stage))));
}

/** The hook watchdog finds no Lease, and takes our hook off. */
export function deadManLetsGo(stage: Stage): void {
  const instance = 'dead-man-1';
  stage.ask({ instance, verb: 'get', resource: leases, ...ownLease });
  stage.ask({ instance, ...patching, resource, body: [] });
}

/** An instance puts our hook on. */
export const putOn = (stage: Stage, preDrain: readonly object[]): Partial<Exchange> => ({
  ...patching,
  resource,
  body: {
    metadata: { ...versionOf(stage), annotations: { 'phaseout.dev/registered': '1' } },
    spec: { lifecycleHooks: { preDrain } },
  },
});
