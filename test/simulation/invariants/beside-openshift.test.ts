import { expect, test } from 'vitest';
import { listedHook } from '../scenario/beside.ts';
import { cordon, nodeOf } from './asked.ts';
import {
  change,
  cordonNode,
  drained,
  letGo,
  mark,
  openBesideOpenShift,
  putOn,
  saveAt,
  worker,
} from './asked-of-openshift.ts';
import { drainedIsSaid } from './drained-is-said.ts';
import { handOverIsDue } from './hand-over-is-due.ts';
import { lateHooksAreNone } from './late-hooks-are-none.ts';
import { onlyKnownWrites } from './only-known-writes.ts';
import { onlyWhileHeld } from './only-while-held.ts';
import { pausedIsLeftAlone } from './paused-is-left-alone.ts';
import { podsThatWereLeftStay } from './pods-that-were-left-stay.ts';
import type { Stage } from './stage.ts';

const says = 'instance-1 says that the drain is done of Machine openshift-machine-api/worker-1:';
const hands = 'instance-1 hands over Machine openshift-machine-api/worker-1:';

const skipped = { metadata: { labels: { 'cluster.x-k8s.io/drain': 'skip' } } };
const leave = (stage: Stage): void => void stage.pod('left', skipped);
const etcd = { name: 'EtcdQuorumOperator', owner: 'clusteroperator/etcd' };
const hooks = (...preDrain: object[]) => ({ spec: { lifecycleHooks: { preDrain } } });

const since = (condition: object): object => ({
  ...condition,
  lastTransitionTime: '2026-01-01T00:00:30Z',
});

test.each<[string, (stage: Stage) => void, string?]>([
  ['a Pod is left that a label lets stay', leave],
  ['no Pod is left', () => undefined, 'no Pod is left that OpenShift would evict'],
  [
    'a Pod that must go is left beside it',
    (stage) => {
      leave(stage);
      stage.pod('web');
    },
    'Pod shop/web must go',
  ],
  [
    'the Node takes Pods',
    (stage) => {
      leave(stage);
      cordonNode(stage, false);
    },
    'its Node takes Pods',
  ],
  [
    'etcd holds it, too',
    (stage) => {
      leave(stage);
      change(stage, hooks(etcd, listedHook));
    },
    'its pre-drain hooks are [{"name":"EtcdQuorumOperator","owner":"clusteroperator/etcd"},{"name":"phaseout","owner":"phaseout.dev"}]',
  ],
  [
    'our hook is off',
    (stage) => {
      leave(stage);
      change(stage, { spec: { lifecycleHooks: null } });
    },
    'its pre-drain hooks are undefined',
  ],
  [
    'another API is about to rule it',
    (stage) => {
      leave(stage);
      change(stage, { status: { authoritativeAPI: 'MachineAPI' } }, 'status');
      change(stage, { spec: { authoritativeAPI: 'ClusterAPI' } });
    },
    'its authority is, or will be, ClusterAPI',
  ],
  [
    'it says that it is paused',
    (stage) => {
      leave(stage);
      change(stage, { status: { conditions: [since({ type: 'Paused', status: 'True' })] } }, 'status');
    },
    'it says that it is paused',
  ],
  [
    'it was let go before',
    (stage) => {
      leave(stage);
      saveAt(stage, { passed: ['drain'], isReleased: true });
    },
    'its checkpoint says that it was let go',
  ],
])('OpenShift is told that the drain is done: %s', async (_what, before, cry) => {
  const stage = await openBesideOpenShift(drainedIsSaid);
  before(stage);
  await stage.pass(30_000);
  stage.ask(mark(stage));
  expect(stage.cries).toEqual(cry === undefined ? [] : [`${says} ${cry}`]);
});

test('what has just come to the Node may not have been seen', async () => {
  const stage = await openBesideOpenShift(drainedIsSaid);
  leave(stage);
  await stage.pass(30_000);
  stage.pod('web');
  await stage.pass(2_000);
  stage.ask(mark(stage));
  expect(stage.cries).toEqual([]);
});

const exclude = (stage: Stage): void =>
  change(stage, { metadata: { annotations: { 'machine.openshift.io/exclude-node-draining': '' } } });

test.each<[string, (stage: Stage) => void, string[]]>([
  ['nothing is left', () => undefined, []],
  ['a Pod is left that a label lets stay', leave, [`${hands} these Pods are left to it: shop/left`]],
  [
    'a Pod is left, and OpenShift is told that the drain is done',
    (stage) => {
      leave(stage);
      change(stage, { status: { conditions: [since(drained)] } }, 'status');
    },
    [],
  ],
  [
    'a Pod is left, and etcd holds the Machine, too',
    (stage) => {
      leave(stage);
      change(stage, hooks(listedHook, etcd));
    },
    [],
  ],
  [
    'a Pod is left, and something has gone wrong',
    (stage) => {
      leave(stage);
      stage.world.hit('slow-api');
    },
    [],
  ],
])('our hook goes without a word to OpenShift: %s', async (_what, before, cries) => {
  const stage = await openBesideOpenShift(podsThatWereLeftStay);
  before(stage);
  await stage.pass(30_000);
  letGo(stage, ['drain']);
  expect(stage.cries).toEqual(cries);
});

test.each<[string, string[], (stage: Stage) => void, string[]]>([
  ['the drain is passed', ['drain'], () => undefined, []],
  [
    'the drain is under way',
    [],
    () => undefined,
    [`${hands} its checkpoint does not say how these were passed: drain`],
  ],
  ['it is excluded from drains', [], exclude, []],
  [
    'the drain is said to be done already',
    [],
    (stage) => change(stage, { status: { conditions: [since(drained)] } }, 'status'),
    [],
  ],
  [
    'a Pod that must go is on the Node',
    ['drain'],
    (stage) => void stage.pod('web'),
    [`${hands} these Pods are on its Node: shop/web`],
  ],
])('our hook goes beside OpenShift: %s', async (_what, passed, before, cries) => {
  const stage = await openBesideOpenShift(handOverIsDue);
  before(stage);
  await stage.pass(30_000);
  letGo(stage, passed);
  expect(stage.cries).toEqual(cries);
});

const terminable = since({ type: 'Terminable', status: 'True' });
const exclusion = '/metadata/annotations/machine.openshift.io~1exclude-node-draining';

test.each<[string, (stage: Stage) => void, boolean]>([
  ['our hook goes', (stage) => letGo(stage, ['drain']), true],
  ['the hook of another owner goes', (stage) => letGo(stage, ['drain'], { owner: 'somebody' }), false],
  [
    'it is excluded from drains, too',
    (stage) => letGo(stage, ['drain'], { more: [{ op: 'add', path: exclusion, value: 'phaseout.dev' }] }),
    false,
  ],
  [
    'the hook of another goes, too',
    (stage) => letGo(stage, ['drain'], { more: [{ op: 'remove', path: '/spec/lifecycleHooks/preDrain/1' }] }),
    false,
  ],
  ['the condition Drained', (stage) => stage.ask(mark(stage, [drained, terminable])), true],
  ['another condition is lost', (stage) => stage.ask(mark(stage, [drained])), false],
])('what is written beside OpenShift: %s', async (_what, act, isKnown) => {
  const stage = await openBesideOpenShift(onlyKnownWrites);
  change(stage, { status: { conditions: [terminable] } }, 'status');
  act(stage);
  expect(stage.cries.length).toBe(isKnown ? 0 : 1);
});

test.each<[string, object[], boolean]>([
  ['after those of others', [etcd, listedHook], true],
  ['before them', [listedHook, etcd], false],
  ['in their place', [listedHook], false],
  ['in the name of another', [etcd, { ...listedHook, owner: 'me' }], false],
])('our hook comes on a Machine of OpenShift that lives: %s', async (_where, preDrain, isKnown) => {
  const stage = await openBesideOpenShift(onlyKnownWrites, false);
  change(stage, hooks(etcd));
  stage.ask(putOn(stage, preDrain));
  expect(stage.cries.length).toBe(isKnown ? 0 : 1);
});

test('our hook comes on no Machine of OpenShift that is being deleted', async () => {
  const stage = await openBesideOpenShift(lateHooksAreNone);
  change(stage, hooks(etcd));
  stage.ask(putOn(stage, [etcd, listedHook]));
  expect(stage.cries).toEqual(['instance-1 puts our hook on Machine openshift-machine-api/worker-1']);
});

test.each([
  ['has our hook', () => undefined, []],
  [
    'is without our hook',
    (stage: Stage) => change(stage, hooks(etcd)),
    ['instance-1 cordons Node node-1 in blue: our hook is not on its Machine'],
  ],
])('the Node of a Machine of OpenShift is cordoned that %s', async (_what, before, cries) => {
  const stage = await openBesideOpenShift(onlyWhileHeld);
  before(stage);
  await stage.pass(10_000);
  stage.ask(cordon(nodeOf(stage)));
  expect(stage.cries).toEqual(cries);
});

test('no provider is asked for a server beside OpenShift', async () => {
  const stage = await openBesideOpenShift(onlyWhileHeld);
  const call = {
    instance: 'instance-1',
    operation: 'delete',
    machine: worker(stage),
    cluster: undefined,
  } as const;
  stage.observer.asked?.(call);
  expect(stage.cries).toEqual([
    "instance-1 asks the provider to delete: that is for the API's own controllers",
  ]);
});

test.each([
  ['OpenShift rules it', () => undefined, []],
  [
    'Cluster API rules it',
    (stage: Stage) => change(stage, { status: { authoritativeAPI: 'ClusterAPI' } }, 'status'),
    [`${hands} its Machine is to be left alone, its authority is ClusterAPI`],
  ],
  [
    'it is about to be ruled by another API',
    (stage: Stage) => change(stage, { status: { authoritativeAPI: 'Migrating' } }, 'status'),
    [`${hands} its Machine is to be left alone, its authority is Migrating`],
  ],
])('our hook goes while %s', async (_who, before, cries) => {
  const stage = await openBesideOpenShift(pausedIsLeftAlone);
  before(stage);
  await stage.pass(30_000);
  letGo(stage, ['drain']);
  expect(stage.cries).toEqual(cries);
});
