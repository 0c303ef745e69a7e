import { expect, test } from 'vitest';
import { kubeconfigOf } from '../../stories/stage/carriage.ts';
import { cordon, evict, nodeOf, removeNode } from './asked.ts';
import { machines } from './built-stage.ts';
import { plansAreDone } from './plan-is-what-is-done.ts';
import { openStage, type Stage } from './stage.ts';

const stays = { 'cluster.x-k8s.io/drain': 'skip' };
const onNode2 = { spec: { nodeName: 'node-2' } };

async function begin(before?: (stage: Stage) => Promise<void>): Promise<Stage> {
  const stage = await openStage(plansAreDone(1));
  const { management } = stage.world;
  management.create('secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'fleet', name: 'blue-kubeconfig' },
    data: { value: Buffer.from(kubeconfigOf('blue')).toString('base64') },
  });
  const server = { spec: { providerID: 'x://m2' } };
  management.patch(machines, { metadata: { namespace: 'fleet', name: 'm2' } }, server);
  stage.world.cluster('blue').patch('nodes', { metadata: { name: 'node-2' } }, server);
  stage.pod('goes', onNode2);
  stage.pod('stays', { ...onNode2, metadata: { labels: stays } });
  await stage.pass();
  await before?.(stage);
  management.remove(machines, { metadata: { namespace: 'fleet', name: 'm2' } });
  await stage.pass();
  return stage;
}

/** Evicts these, says that the drain is done, and lets the Machine go. */
async function drain(stage: Stage, pods: readonly string[]): Promise<void> {
  const { management } = stage.world;
  for (const name of pods) {
    const pod = stage.world.cluster('blue').get('pods', 'shop', name);
    if (pod !== undefined) stage.ask(evict(pod));
  }
  const machine = management.get(machines, 'fleet', 'm2');
  const since = '2026-01-01T00:00:00Z';
  const passed = { drain: { as: 'done', since } };
  const stand = { v: 1, uid: machine?.metadata.uid, seq: 1, phase: 'finalize', since, passed };
  const annotations = { 'phaseout.dev/checkpoint': JSON.stringify(stand) };
  management.patch(machines, { metadata: { namespace: 'fleet', name: 'm2' } }, { metadata: { annotations } });
  await stage.pass();
  const at = { verb: 'patch', resource: machines, namespace: 'fleet', name: 'm2' };
  stage.ask({ ...at, body: [{ op: 'remove', path: '/metadata/finalizers/1' }] });
}

test.each([
  ['what was planned', ['goes'], []],
  [
    'a Pod that was to stay',
    ['goes', 'stays'],
    ['Machine fleet/m2: shop/stays was evicted, and that was not planned'],
  ],
  ['nothing', [], ['Machine fleet/m2: shop/goes was not evicted, and that was planned']],
])('a plan is what is then done: %s', async (_what, pods, cries) => {
  const stage = await begin();
  await drain(stage, pods);
  expect(stage.cries).toEqual(cries);
});

/** Its only member goes, and so much time goes by. */
const withoutControlPlane = (milliseconds: number) => async (stage: Stage) => {
  const member = { metadata: { namespace: 'fleet', name: 'cp' } };
  const { management } = stage.world;
  management.remove(machines, member);
  if (management.get(machines, 'fleet', 'cp') !== undefined)
    management.patch(machines, member, { metadata: { finalizers: null } });
  await stage.pass(milliseconds);
};

/** Its only member is deleted, which somebody holds, and so much time goes by. */
const withoutOneThatStays = (milliseconds: number) => async (stage: Stage) => {
  stage.world.management.remove(machines, { metadata: { namespace: 'fleet', name: 'cp' } });
  await stage.pass(milliseconds);
};

/** Its Cluster is deleted, which somebody holds, and so much time goes by. */
const inDeletedCluster = (milliseconds: number) => async (stage: Stage) => {
  const cluster = { metadata: { namespace: 'fleet', name: 'blue' } };
  const { management } = stage.world;
  const metadata = { finalizers: ['cluster.cluster.x-k8s.io'] };
  management.patch('clusters.cluster.x-k8s.io', cluster, { metadata });
  management.remove('clusters.cluster.x-k8s.io', cluster);
  await stage.pass(milliseconds);
};

const left = ['Machine fleet/m2: node was to be skipped, and was done'];

test.each([
  ['the control plane is long gone', withoutControlPlane(7_000), left],
  [
    'the control plane is gone lately, so that it may be taken for one that is there',
    withoutControlPlane(5_000),
    [],
  ],
  ['its Cluster was deleted before', inDeletedCluster(7_000), left],
  [
    'its Cluster was deleted right before, so that it may be taken for one that goes on',
    inDeletedCluster(5_000),
    [],
  ],
])('a Node is left where it was to be, as %s', async (_why, before, cries) => {
  const stage = await begin(before);
  stage.ask(removeNode(nodeOf(stage, 'node-2')));
  await drain(stage, []);
  expect(stage.cries).toEqual(cries);
});

const undrained = [
  'Machine fleet/m2: shop/goes was evicted, and that was not planned',
  'Machine fleet/m2: drain was to be skipped, and was done',
];

test.each([
  ['goes, and did so long ago', withoutOneThatStays(7_000), undrained],
  ['goes, and did not do so a moment ago', withoutOneThatStays(5_000), []],
  ['is gone long since', withoutControlPlane(7_000), undrained],
  ['was there a moment ago', withoutControlPlane(5_000), []],
])('nothing is drained where the last of the control plane %s', async (_how, before, cries) => {
  const stage = await begin(before);
  stage.ask(cordon(nodeOf(stage, 'node-2')));
  await drain(stage, ['goes']);
  expect(stage.cries).toEqual(cries);
});

test('whatever anybody else does in between makes a plan one of the past', async () => {
  const stage = await begin();
  stage.world.say('a user', 'does something');
  await drain(stage, ['goes', 'stays']);
  expect(stage.cries).toEqual([]);
});
