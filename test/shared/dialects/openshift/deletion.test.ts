import { describe, expect, test } from 'vitest';
import { phaseFunctions } from '../../../../infra/host/phases.ts';
import type { DeleteAnswer, Existence } from '../../../../shared/actuator/port.ts';
import { conditionsFrom } from '../../../../shared/dialects/conditions.ts';
import { recordAt } from '../../../../shared/dialects/fields.ts';
import { openShift } from '../../../../shared/dialects/openshift/index.ts';
import { intakeEvent } from '../../../../shared/intake/intake.ts';
import type { Advance } from '../../../../shared/machine/messages.ts';
import { reconcilePhase } from '../../../../shared/reconcile/reconcile.ts';
import { anActuator } from '../../../builders/actuator.ts';
import type { FakeCluster } from '../../../builders/fake-cluster.ts';
import { aRawMachine, drained, excluded, type Overrides, timeAfter } from '../../../builders/openshift.ts';
import { pod } from '../../../builders/pods.ts';
import { aNode } from '../../../builders/subject.ts';
import { aWorld } from '../../../builders/world.ts';

// Whole deletions over one cluster with the Machine, its Node and its Pods. A provider has the server.

const machinePath = 'machines/default/m-1';

interface Answers {
  deletes?: DeleteAnswer[];
  exists?: Existence[];
}

function aCluster(machine: Overrides = {}, { deletes, exists = [{ kind: 'absent' }] }: Answers = {}) {
  const world = aWorld(aRawMachine(machine));
  const { management: cluster, env } = world;
  cluster.put('nodes', aNode({ unschedulable: false }));
  const actuator = anActuator({ exists, ...(deletes === undefined ? {} : { deletes }) });
  /** What the Machine said when the provider was first asked to remove its server. */
  let saidBefore: string[] | undefined;
  const asked = {
    ...actuator,
    delete: (target: Parameters<typeof actuator.delete>[0]) => {
      saidBefore ??= said(cluster);
      return actuator.delete(target);
    },
  };
  Object.assign(env, { actuator: asked, dialects: [openShift], workloads: { of: async () => cluster } });
  /** Takes an event about the Machine, and runs steps until none follows. */
  async function look(): Promise<string> {
    const raw = cluster.at(machinePath);
    if (raw === undefined) return 'gone';
    let next: Advance | undefined = await intakeEvent(env, raw);
    let phase: string = next?.phase ?? 'nothing to do';
    while (next !== undefined) {
      phase = next.phase;
      ({ next } = await reconcilePhase(env, phaseFunctions[next.phase], next));
    }
    return cluster.at(machinePath) === undefined ? 'gone' : phase;
  }
  return { ...world, cluster, actuator, look, saidBefore: () => saidBefore };
}

/** `Type Status: message` of each condition. */
const said = (cluster: FakeCluster): string[] =>
  conditionsFrom(recordAt(cluster.at(machinePath), 'status')['conditions']).map(
    ({ type, status, message }) =>
      message === undefined ? `${type} ${status}` : `${type} ${status}: ${message}`,
  );
const phaseOf = (cluster: FakeCluster) => recordAt(cluster.at(machinePath), 'status')['phase'];
const told = async ({ cluster }: { cluster: FakeCluster }): Promise<string[]> => {
  const { items } = await cluster.list({ group: '', version: 'v1', plural: 'events' });
  return items.map((event) => `${String(event['reason'])}: ${String(event['message'])}`).toSorted();
};
const unhook = (cluster: FakeCluster, list: string) =>
  cluster.change(machinePath, { spec: { lifecycleHooks: { [list]: null } } });
const onNode = (name: string) => ({ ...pod(name), spec: { nodeName: 'node-1' } });

test('a worker with hooks goes step by step', async () => {
  const machine = { preDrain: ['move-app'], preTerminate: ['detach'] };
  const { cluster, look, actuator, log, ...world } = aCluster(machine, {
    exists: [{ kind: 'exists' }, { kind: 'absent' }],
  });
  cluster.put('pods', onNode('ns/a'));

  expect(await look()).toBe('pre-drain');
  expect(phaseOf(cluster)).toBe('Deleting');
  const terminableFalse =
    'Terminable False: Terminate operation currently blocked by: [{Name:detach Owner:detach-owner}]';
  expect(said(cluster)).toEqual([
    'Drainable False: Drain operation currently blocked by: [{Name:move-app Owner:move-app-owner}]',
    terminableFalse,
  ]);
  expect(await told({ cluster })).toEqual(['DrainBlocked: Drain blocked by pre-drain hook']);

  unhook(cluster, 'preDrain');
  expect(await look()).toBe('drain');
  expect(log.filter((line) => /^(patch nodes|evict)/.test(line))).toEqual([
    'patch nodes/node-1',
    'evict pods/ns/a',
  ]);
  // A Pod that takes its time to stop is no failure.
  expect(said(cluster)).toEqual(['Drainable True', terminableFalse]);

  cluster.drop('pods/ns/a');
  expect(await look()).toBe('pre-terminate');
  expect(said(cluster)).toEqual([
    'Drainable True',
    'Drained True: Drain finished successfully',
    terminableFalse,
  ]);
  expect(actuator.asked).toEqual([]);

  unhook(cluster, 'preTerminate');
  expect(await look()).toBe('infrastructure');
  expect(said(cluster)).toEqual([
    'Drainable True',
    'Drained True: Drain finished successfully',
    'Terminable True',
  ]);
  expect(world.saidBefore()).toEqual(said(cluster));
  expect(cluster.at('nodes/node-1')).toBeDefined();

  expect(await look()).toBe('gone');
  expect(cluster.at('nodes/node-1')).toBeUndefined();
  expect(actuator.asked).toEqual(['delete uid-1', 'exists uid-1', 'delete uid-1', 'exists uid-1']);
  expect(await told({ cluster })).toEqual([
    'Deleted: Node "node-1" drained',
    'DrainBlocked: Drain blocked by pre-drain hook',
    'DrainProceeds: Node drain proceeds',
    'DrainSucceeded: Node drain succeeded',
  ]);
});

describe('the drain is skipped', () => {
  test('with its hooks where it is excluded: the Node is not cordoned, but goes', async () => {
    const { cluster, look, log, saidBefore } = aCluster({ annotations: excluded, preDrain: ['move-app'] });
    cluster.put('pods', onNode('ns/a'));
    expect(await look()).toBe('gone');
    expect(log.filter((line) => /nodes|evict/.test(line))).toEqual(['delete nodes/node-1']);
    expect(saidBefore()).toContain('Drained True: Node drain skipped');
    expect(await told({ cluster })).toEqual(['DrainSkipped: Node drain skipped']);
  });

  test('where the Machine has no Node, and none is touched', async () => {
    const { cluster, look, log, saidBefore } = aCluster({ status: { nodeRef: undefined }, preDrain: ['a'] });
    expect(await look()).toBe('gone');
    expect(log.filter((line) => line.includes('nodes'))).toEqual([]);
    expect(saidBefore()).toContain('Drained True: Node drain skipped');
    expect(await told({ cluster })).toEqual(['DrainSkipped: Node drain skipped']);
  });

  test('when it is excluded in its midst', async () => {
    const { cluster, look } = aCluster({ preTerminate: ['detach'] });
    cluster.put('pods', onNode('ns/a'));
    expect(await look()).toBe('drain');
    cluster.change(machinePath, { metadata: { annotations: excluded } });
    expect(await look()).toBe('pre-terminate');
    expect(said(cluster)).toContain('Drained True: Node drain skipped');
  });
});

describe('a Machine that was drained before', () => {
  test('by another controller is not drained again, whatever hooks came since', async () => {
    const machine = { preDrain: ['late'], status: { conditions: [drained] } };
    const { cluster, look, log, saidBefore } = aCluster(machine);
    cluster.put('pods', onNode('ns/a'));
    expect(await look()).toBe('gone');
    expect(log.filter((line) => /patch nodes|evict/.test(line))).toEqual([]);
    expect(saidBefore()).toContain('Drained True: Drain finished successfully');
    expect(await told({ cluster })).toEqual([]);
  });

  test('is found where it stood when its checkpoint was lost', async () => {
    const { cluster, look, log } = aCluster({}, { exists: [{ kind: 'exists' }, { kind: 'absent' }] });
    expect(await look()).toBe('infrastructure');
    cluster.change(machinePath, { metadata: { annotations: { 'phaseout.dev/checkpoint': null } } });
    cluster.change('nodes/node-1', { spec: { unschedulable: false } });
    log.length = 0;
    expect(await look()).toBe('gone');
    expect(log.filter((line) => /patch nodes|evict/.test(line))).toEqual([]);
  });
});

test.each(['volume-detach', 'bootstrap'])(
  'a checkpoint of a phase that the API does not have is not believed: %s',
  async (phase) => {
    const checkpoint = JSON.stringify({ v: 1, uid: 'uid-1', seq: 4, phase, since: timeAfter(0), passed: {} });
    const annotations = { 'phaseout.dev/checkpoint': checkpoint };
    const { cluster, look } = aCluster({ annotations, preDrain: ['move-app'] });
    expect(await look()).toBe('pre-drain');
    expect(said(cluster).join()).not.toContain('Drained');
    expect((await told({ cluster })).join()).toContain(`phase: ${phase} is none of the API's`);
  },
);

test('a Node that has gone before is drained, and nothing is said of its drain but that', async () => {
  const { cluster, look } = aCluster();
  cluster.drop('nodes/node-1');
  expect(await look()).toBe('gone');
  expect(await told({ cluster })).toEqual([
    'DrainProceeds: Node drain proceeds',
    'DrainSucceeded: Node drain succeeded',
  ]);
});

test('a drain that cannot look says so on the Machine and in an Event', async () => {
  const { cluster, look } = aCluster();
  cluster.on('patch nodes/node-1', () => ({ kind: 'refused', code: 403, message: 'forbidden' }));
  expect(await look()).toBe('drain');
  expect(said(cluster)).toContain(
    'Drained False: could not drain machine: failed to cordon Node node-1: forbidden',
  );
  expect(await told({ cluster })).toEqual([
    'DrainProceeds: Node drain proceeds',
    'DrainRequeued: Node drain requeued: failed to cordon Node node-1: forbidden',
  ]);
});

test('a Machine goes like any other where phaseout runs on its Node: the provider is asked all the same', async () => {
  const { look, env } = aCluster();
  env.settings = { ...env.settings, ownNode: 'node-1' };
  expect(await look()).toBe('gone');
});

test.each<[served: boolean, evicted: string[]]>([
  [false, ['evict pods/ns/a']],
  [true, []],
])('a drain label decides only where MachineDrainRules are served: %s', async (served, evicted) => {
  const { cluster, look, log } = aCluster();
  const { metadata, ...rest } = onNode('ns/a');
  const labels = { 'cluster.x-k8s.io/drain': 'skip' };
  cluster.put('pods', { ...rest, metadata: { ...metadata, labels } });
  if (!served) cluster.discover = async () => undefined;
  await look();
  expect(log.filter((line) => line.startsWith('evict'))).toEqual(evicted);
});

const touched = (log: string[]): string[] =>
  log.filter((line) => /nodes|evict|finalizers|json-patch/.test(line));

const left = (what: string) =>
  `Drain not completed yet (started at 2026-01-01T12:00:10Z):\n* Pod ns/a: ${what}`;

describe('Pods that do not go', () => {
  test('because a budget refuses are said at once to hold the drain up, and which budget it is', async () => {
    const { cluster, look } = aCluster();
    const text = "Cannot evict pod as it would violate the pod's disruption budget.";
    cluster.put('pods', onNode('ns/a'));
    cluster.evictAll = async () =>
      new Map([['ns/a', { kind: 'refused', cause: 'BudgetExhausted', text, budget: 'guard' }]]);
    expect(await look()).toBe('drain');
    const message = left("cannot evict pod as it would violate the pod's disruption budget.");
    expect(said(cluster)).toContain(`Drained False: could not drain machine: ${message}`);
    expect(await told({ cluster })).toContain(`DrainRequeued: Node drain requeued: ${message}`);
  });

  test('because they take long to stop are said to hold it up after an attempt of twenty seconds', async () => {
    const { cluster, look, time } = aCluster();
    cluster.put('pods', onNode('ns/a'));
    await look();
    time.now += 19_000;
    await look();
    expect(said(cluster)).toEqual(['Drainable True', 'Terminable True']);
    time.now += 1_000;
    await look();
    const message = left('deletionTimestamp set, but still not removed from the Node');
    expect(said(cluster)).toContain(`Drained False: could not drain machine: ${message}`);
    expect(await told({ cluster })).toContain(`DrainRequeued: Node drain requeued: ${message}`);
    cluster.drop('pods/ns/a');
    expect(await look()).toBe('gone');
  });
});

test('control plane Nodes are drained one after the other, and the Machine says what it waits for', async () => {
  const { cluster, look, log } = aCluster();
  const labels = { 'node-role.kubernetes.io/master': '' };
  const node = (name: string, unschedulable: boolean) => {
    const { metadata, ...rest } = aNode({ name, uid: `${name}-uid`, unschedulable });
    cluster.put('nodes', { ...rest, metadata: { ...metadata, labels } });
  };
  node('node-1', false);
  node('node-2', true);
  expect(await look()).toBe('drain');
  expect(said(cluster)).toContain(
    'Drained False: could not drain machine: drain not permitted: requeue in: 20s',
  );
  expect(log.filter((line) => /leases|patch nodes/.test(line))).toEqual([]);

  cluster.drop('nodes/node-2');
  expect(await look()).toBe('gone');
  expect(log.filter((line) => /leases|patch nodes/.test(line))).toEqual([
    'create leases/default/phaseout-control-plane-cordon',
    'patch nodes/node-1',
    'delete leases/default/phaseout-control-plane-cordon',
  ]);
});

describe('a Machine that nothing is done to', () => {
  test('is one that is not valid, until it is', async () => {
    const { cluster, look, log, env, time } = aCluster({ metadata: { labels: {} } });
    const text = 'spec.labels: Invalid value: {}: missing machine.openshift.io/cluster-api-cluster label.';
    expect(await look()).toBe('drain');
    expect(phaseOf(cluster)).toBe('Running');
    expect(said(cluster)).toEqual([`phaseout.dev/Valid False: ${text}`]);
    expect(await told({ cluster })).toEqual([`FailedValidate: m-1: machine validation failed: ${text}`]);
    expect(cluster.at(machinePath)?.metadata.annotations).toEqual({});
    expect(touched(log)).toEqual([]);
    expect(await env.store.due(time.now + 60_000, 10)).toHaveLength(1);

    cluster.change(machinePath, {
      metadata: { labels: { 'machine.openshift.io/cluster-api-cluster': 'c' } },
    });
    expect(await look()).toBe('gone');
  });

  test('is one that Cluster API rules, until it does not', async () => {
    const { cluster, look, log } = aCluster({ status: { authoritativeAPI: 'Migrating' } });
    expect(await look()).toBe('drain');
    expect(said(cluster)).toContain("Paused True: The AuthoritativeAPI status is set to 'Migrating'");
    expect(touched(log)).toEqual([]);

    cluster.change(machinePath, { status: { authoritativeAPI: 'MachineAPI' } });
    expect(await look()).toBe('gone');
  });
});

describe('a provider that refuses', () => {
  const invalid: DeleteAnswer = { kind: 'failed', reason: 'InvalidConfiguration', message: 'no such zone' };

  test('for the configuration of a Machine without an address is asked whether there is a server, and that decides', async () => {
    const { look, actuator } = aCluster({ status: { addresses: [] } }, { deletes: [invalid] });
    expect(await look()).toBe('gone');
    expect(actuator.asked).toEqual(['delete uid-1', 'exists uid-1']);
  });

  test('for the configuration of a Machine with an address holds it, and an Event says why', async () => {
    const { cluster, look, actuator } = aCluster({}, { deletes: [invalid, { kind: 'accepted' }] });
    expect(await look()).toBe('infrastructure');
    expect(actuator.asked).toEqual(['delete uid-1']);
    expect(await told({ cluster })).toContain(
      'FailedDelete: m-1: failed to delete machine: InvalidConfiguration: no such zone',
    );
    expect(await look()).toBe('gone');
  });

  test('with a delay is asked again after it', async () => {
    const retry: DeleteAnswer = { kind: 'retry', afterSeconds: 9, message: 'busy' };
    const { look, env, time } = aCluster({}, { deletes: [retry] });
    expect(await look()).toBe('infrastructure');
    expect(await env.store.due(time.now + 8_999, 10)).toEqual([]);
    expect(await env.store.due(time.now + 9_000, 10)).toHaveLength(1);
  });
});
