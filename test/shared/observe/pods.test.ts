import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { openShift } from '../../../shared/dialects/openshift/index.ts';
import type { Judgement } from '../../../shared/drain/classify.ts';
import type { ObjectList, Selection } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { observePods } from '../../../shared/observe/pods.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import { aCluster, someSurroundings } from '../../builders/cluster-api.ts';
import { pod } from '../../builders/pods.ts';
import { aSubject } from '../../builders/subject.ts';
import { aWorld, type World } from '../../builders/world.ts';

const onNode = { nodeName: 'node-1', unreachable: false };
const without = (key: string) => ({ key, operator: 'DoesNotExist' });

async function judgedIn({ env }: World, subject = aSubject()): Promise<Judgement> {
  const context = { ...onNode, now: env.clock.now() };
  return (await observePods(openSnapshot(env, subject), subject, context)).judgement;
}

test('only the Pods of one Node are asked for, in all namespaces', async () => {
  const { env, workload } = aWorld();
  const asked: (Selection | undefined)[] = [];
  const list = async (_resource: object, selection?: Selection): Promise<ObjectList> => {
    asked.push(selection);
    return { items: [], resourceVersion: '900' };
  };
  Object.assign(workload, { list });
  const subject = aSubject();
  const context = { nodeName: 'node-1', unreachable: false, now: env.clock.now() };
  expect(await observePods(openSnapshot(env, subject), subject, context)).toEqual({
    resourceVersion: '900',
    pods: [],
    judgement: { kind: 'judged', verdicts: [] },
  });
  expect(asked).toEqual([{ fieldSelector: 'spec.nodeName=node-1' }]);
});

test.each([
  ['left alone by Cluster API', clusterApi, 'Skip'],
  ['drained by OpenShift', openShift, 'Drain'],
])(
  'a Pod of a DaemonSet of another group that bears the name of one of apps is %s',
  async (_how, dialect, behavior) => {
    const world = aWorld();
    const owner = { kind: 'DaemonSet', name: 'd', apiVersion: 'apps.kruise.io/v1' };
    world.workload.put('pods', { ...pod('ns/d-1', { owner }), spec: { nodeName: 'node-1' } });
    world.workload.put('daemonsets', { metadata: { namespace: 'ns', name: 'd' } });
    expect(await judgedIn(world, aSubject({ dialect }))).toMatchObject({ verdicts: [{ behavior }] });
  },
);

const notServed = ({ management }: World): void => {
  Object.assign(management, { discover: async () => undefined });
};

describe('a Pod that asks by its label to be left alone', () => {
  const labelled = {
    ...pod('ns/a', { labels: { 'cluster.x-k8s.io/drain': 'skip' } }),
    spec: { nodeName: 'node-1' },
  };
  const skipped = { behavior: 'Skip', decidedBy: 'label cluster.x-k8s.io/drain=skip' };
  const drained = { behavior: 'Drain', decidedBy: 'default' };

  const verdictFor = async (world: World, dialect: typeof openShift): Promise<unknown> => {
    world.workload.put('pods', labelled);
    const subject = aSubject({ dialect });
    const { judgement } = await observePods(openSnapshot(world.env, subject), subject, {
      ...onNode,
      now: world.env.clock.now(),
    });
    return judgement.kind === 'judged' ? judgement.verdicts[0] : judgement;
  };

  test('is left alone by Cluster API, whatever is served, and nothing is read for it', async () => {
    const world = aWorld();
    notServed(world);
    expect(await verdictFor(world, clusterApi)).toMatchObject(skipped);
    expect(world.management.reads).toEqual([]);
  });

  test('is drained by OpenShift, which knows no such label', async () => {
    const world = aWorld();
    notServed(world);
    expect(await verdictFor(world, openShift)).toMatchObject(drained);
  });

  test('is left alone by OpenShift where MachineDrainRules are served', async () => {
    const world = aWorld();
    expect(await verdictFor(world, openShift)).toMatchObject(skipped);
  });

  test('and rules apply to the others there, from the namespace of the Machine', async () => {
    const world = aWorld();
    const spec = { drain: { behavior: 'Drain', order: 7 } };
    world.management.put('machinedrainrules', { metadata: { namespace: 'default', name: 'late' }, spec });
    world.workload.put('pods', { ...pod('ns/b'), spec: { nodeName: 'node-1' } });
    const subject = aSubject({ dialect: openShift });
    const context = { ...onNode, now: world.env.clock.now() };
    const { judgement } = await observePods(openSnapshot(world.env, subject), subject, context);
    expect(judgement).toMatchObject({ verdicts: [{ order: 7, decidedBy: 'MachineDrainRule late' }] });
  });
});

test('nothing is asked about rules when every Pod is decided without them', async () => {
  const world = aWorld();
  const owner = { kind: 'DaemonSet', name: 'd' };
  world.workload.put('daemonsets', { metadata: { namespace: 'ns', name: 'd' } });
  world.workload.put('pods', { ...pod('ns/d-1', { owner }), spec: { nodeName: 'node-1' } });
  const subject = aSubject({ dialect: openShift });
  await observePods(openSnapshot(world.env, subject), subject, { ...onNode, now: world.env.clock.now() });
  expect(world.management.reads).toEqual([]);
});

describe('a Pod of a DaemonSet', () => {
  const ofDaemonSet = {
    ...pod('ns/d-1', { owner: { kind: 'DaemonSet', name: 'd' } }),
    spec: { nodeName: 'node-1' },
  };

  test.each<[what: string, isThere: boolean, behavior: string]>([
    ['is left alone', true, 'Skip'],
    ['is drained when its DaemonSet has gone', false, 'Drain'],
  ])('%s', async (_what, isThere, behavior) => {
    const world = aWorld();
    if (isThere) world.workload.put('daemonsets', { metadata: { namespace: 'ns', name: 'd' } });
    world.workload.put('pods', ofDaemonSet);
    expect(await judgedIn(world)).toMatchObject({ verdicts: [{ behavior }] });
  });

  test('is left alone also while its DaemonSet is on its way: that may take it along, or orphan it', async () => {
    const world = aWorld();
    const deletionTimestamp = '2026-01-01T12:00:05Z';
    world.workload.put('daemonsets', { metadata: { namespace: 'ns', name: 'd', deletionTimestamp } });
    world.workload.put('pods', ofDaemonSet);
    expect(await judgedIn(world)).toMatchObject({ verdicts: [{ behavior: 'Skip' }] });
  });

  test('is not judged while its DaemonSet cannot be read', async () => {
    const world = aWorld();
    const noAnswer = new Unavailable('no answer');
    world.workload.put('pods', ofDaemonSet);
    world.workload.on('get daemonsets/ns/d', () => {
      throw noAnswer;
    });
    await expect(judgedIn(world)).rejects.toBe(noAnswer);
  });

  test('is left alone for ten seconds after its DaemonSet has gone, and no longer', async () => {
    const world = aWorld();
    world.workload.put('daemonsets', { metadata: { namespace: 'ns', name: 'd' } });
    world.workload.put('pods', ofDaemonSet);
    await judgedIn(world);
    world.workload.drop('daemonsets/ns/d');
    world.time.now += 10_000;
    expect(await judgedIn(world)).toMatchObject({ verdicts: [{ behavior: 'Skip' }] });
    world.time.now += 1;
    expect(await judgedIn(world)).toMatchObject({ verdicts: [{ behavior: 'Drain' }] });
  });
});

/** A rule that leaves the Pods it selects alone, a Namespace with a label, and a Pod. */
const skipping = (selection: object): World => {
  const world = aWorld();
  const spec = { drain: { behavior: 'Skip' }, ...selection };
  world.management.put('machinedrainrules', { metadata: { namespace: 'default', name: 'r' }, spec });
  world.workload.put('namespaces', { metadata: { name: 'ns', labels: { team: 'a' } } });
  world.workload.put('pods', { ...pod('ns/a'), spec: { nodeName: 'node-1' } });
  return world;
};
const matching = (team: string) => ({ matchLabels: { team } });

describe('a rule', () => {
  const labelled = aSubject();
  labelled.machine.labels = { team: 'a' };
  labelled.surroundings.cluster = {
    ...aCluster(),
    metadata: { name: 'c', namespace: 'default', labels: { team: 'b' } },
  };

  test.each<[of: string, selection: object, behavior: string]>([
    ['the Machine', { machines: [{ selector: matching('a') }] }, 'Skip'],
    ['another Machine', { machines: [{ selector: matching('b') }] }, 'Drain'],
    ['its Cluster', { machines: [{ clusterSelector: matching('b') }] }, 'Skip'],
    ['another Cluster', { machines: [{ clusterSelector: matching('a') }] }, 'Drain'],
    ["the Pod's Namespace", { pods: [{ namespaceSelector: matching('a') }] }, 'Skip'],
    ['another Namespace', { pods: [{ namespaceSelector: matching('b') }] }, 'Drain'],
  ])('counts or not where it asks for the labels of %s', async (_of, selection, behavior) => {
    expect(await judgedIn(skipping(selection), labelled)).toMatchObject({ verdicts: [{ behavior }] });
  });

  test('that asks for no Namespace has none listed', async () => {
    const world = skipping({ machines: [{ selector: matching('a') }] });
    await judgedIn(world, labelled);
    expect(world.workload.reads).toEqual(['list pods']);
  });

  test('that asks for the labels of a Namespace asks in vain where it has none', async () => {
    const world = skipping({ pods: [{ namespaceSelector: matching('a') }] });
    world.workload.put('namespaces', { metadata: { name: 'ns' } });
    expect(await judgedIn(world, labelled)).toMatchObject({ verdicts: [{ behavior: 'Drain' }] });
  });

  test('counts in a Namespace that has come since they were listed, and they are listed again only then', async () => {
    const world = skipping({ pods: [{ namespaceSelector: matching('a') }] });
    await judgedIn(world, labelled);
    world.workload.put('namespaces', { metadata: { name: 'new', labels: { team: 'a' } } });
    await judgedIn(world, labelled);
    expect(world.workload.reads.filter((read) => read === 'list namespaces')).toHaveLength(1);
    world.workload.put('pods', { ...pod('new/b'), spec: { nodeName: 'node-1' } });
    expect(await judgedIn(world, labelled)).toMatchObject({
      verdicts: [{ behavior: 'Skip' }, { behavior: 'Skip' }],
    });
    expect(world.workload.reads.filter((read) => read === 'list namespaces')).toHaveLength(2);
  });

  test('that asks for labels of a Cluster asks in vain where there is none', async () => {
    const world = skipping({ machines: [{ clusterSelector: { matchExpressions: [without('team')] } }] });
    const clusterless = aSubject({ surroundings: someSurroundings({ cluster: undefined }) });
    expect(await judgedIn(world, clusterless)).toMatchObject({ verdicts: [{ behavior: 'Skip' }] });
  });
});
