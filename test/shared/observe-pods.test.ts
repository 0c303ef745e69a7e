import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../shared/dialects/capi/index.ts';
import { openShift } from '../../shared/dialects/openshift/index.ts';
import type { ObjectList, Selection } from '../../shared/kubernetes/port.ts';
import { observePods } from '../../shared/observe-pods.ts';
import { lookAt } from '../../shared/runtime/turn.ts';
import { aSubject } from '../builders/subject.ts';
import { aWorld, type World } from '../builders/world.ts';
import { pod } from './drain/build.ts';

const onNode = { nodeName: 'node-1', unreachable: false };

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
  expect(await observePods(lookAt(env, subject), subject, context)).toEqual({
    resourceVersion: '900',
    pods: [],
    judgement: { kind: 'judged', verdicts: [] },
  });
  expect(asked).toEqual([{ fieldSelector: 'spec.nodeName=node-1' }]);
});

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
    const { judgement } = await observePods(lookAt(world.env, subject), subject, {
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
    const { judgement } = await observePods(lookAt(world.env, subject), subject, context);
    expect(judgement).toMatchObject({ verdicts: [{ order: 7, decidedBy: 'MachineDrainRule late' }] });
  });
});

test('nothing is asked about rules when every Pod is decided without them', async () => {
  const world = aWorld();
  const owner = { kind: 'DaemonSet', name: 'd' };
  world.workload.put('daemonsets', { metadata: { namespace: 'ns', name: 'd' } });
  world.workload.put('pods', { ...pod('ns/d-1', { owner }), spec: { nodeName: 'node-1' } });
  const subject = aSubject({ dialect: openShift });
  await observePods(lookAt(world.env, subject), subject, { ...onNode, now: world.env.clock.now() });
  expect(world.management.reads).toEqual([]);
});
