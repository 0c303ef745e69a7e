import { describe, expect, test } from 'vitest';
import { drain } from '../../functions/drain.ts';
import { openShift } from '../../shared/dialects/openshift/index.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import { observeDrain } from '../../shared/observe/drain.ts';
import { openSnapshot } from '../../shared/read/open-snapshot.ts';
import { after, aMachine } from '../builders/openshift.ts';
import { aNode, aSubject } from '../builders/subject.ts';
import { aWorld, type World } from '../builders/world.ts';

const notPermitted = 'drain not permitted: requeue in: 20s';
const subject = aSubject({ dialect: openShift, machine: aMachine() });
const controlPlane = { 'node-role.kubernetes.io/control-plane': '' };
const master = { 'node-role.kubernetes.io/master': '' };
const listed = (world: World) => world.workload.reads.filter((read) => read === 'list nodes').length;

function put(world: World, name: string, labels: Record<string, string>, unschedulable = false): void {
  const { metadata, ...node } = aNode({ name, uid: `${name}-uid`, unschedulable });
  world.workload.put('nodes', { ...node, metadata: { ...metadata, labels } });
}

/** Node node-1 of the Machine, and whatever else there is. */
function aWorldWith(
  own: Record<string, string>,
  others: [string, Record<string, string>, boolean][] = [],
): World {
  const world = aWorld();
  put(world, 'node-1', own);
  for (const [name, labels, isCordoned] of others) put(world, name, labels, isCordoned);
  return world;
}

const seenIn = (world: World, of = subject) => observeDrain(openSnapshot(world.env, of), of);

describe('a Node that is not cordoned', () => {
  const free = { kind: 'schedulable', name: 'node-1', uid: 'node-1-uid' };

  test.each<[when: string, world: World, seen: object]>([
    ['no other is', aWorldWith(controlPlane, [['b', controlPlane, false]]), { ...free, isExclusive: true }],
    [
      'another of the control plane is',
      aWorldWith(controlPlane, [['b', controlPlane, true]]),
      { kind: 'not-permitted', name: 'node-1', other: { metadata: { name: 'b' } } },
    ],
    [
      'another is that has the old label',
      aWorldWith(controlPlane, [['b', master, true]]),
      { kind: 'not-permitted', other: { metadata: { name: 'b' } } },
    ],
    [
      'it has the old label itself',
      aWorldWith(master, [['b', controlPlane, true]]),
      { kind: 'not-permitted', other: { metadata: { name: 'b' } } },
    ],
    [
      'several others are: the first by name',
      aWorldWith(controlPlane, [
        ['c', { ...master, ...controlPlane }, true],
        ['b', master, true],
      ]),
      { kind: 'not-permitted', other: { metadata: { name: 'b' } } },
    ],
    ['only workers are', aWorldWith(controlPlane, [['w', {}, true]]), { ...free, isExclusive: true }],
    ['it is a worker itself', aWorldWith({}, [['b', controlPlane, true]]), { ...free, isExclusive: false }],
  ])('may be cordoned or not when %s', async (_when, world, seen) => {
    expect(await seenIn(world)).toMatchObject(seen);
  });

  test('is of the control plane whatever the value of its label is', async () => {
    const labels = { 'node-role.kubernetes.io/master': 'true' };
    const world = aWorldWith(labels, [['b', controlPlane, true]]);
    expect(await seenIn(world)).toMatchObject({ kind: 'not-permitted', other: { metadata: { name: 'b' } } });
  });

  test('may be cordoned beside one that says nothing of a cordon, as Nodes that have none do', async () => {
    const world = aWorldWith(controlPlane);
    world.workload.put('nodes', { metadata: { name: 'b', uid: 'b-uid', labels: controlPlane }, spec: {} });
    expect(await seenIn(world)).toMatchObject({ ...free, isExclusive: true });
  });

  test('is cordoned by Cluster API without asking for others', async () => {
    const world = aWorldWith(controlPlane, [['b', controlPlane, true]]);
    expect(await seenIn(world, aSubject())).toMatchObject({ ...free, isExclusive: false });
    expect(listed(world)).toBe(0);
  });

  test('of a worker costs no look at others', async () => {
    const world = aWorldWith({});
    await seenIn(world);
    expect(listed(world)).toBe(0);
  });

  test('is not judged while the others cannot be read', async () => {
    const world = aWorldWith(controlPlane);
    world.workload.on('list nodes', () => {
      throw new Unavailable('no answer');
    });
    await expect(seenIn(world)).rejects.toThrow('no answer');
  });
});

test('a control plane Node that is cordoned already is drained, whatever the others are', async () => {
  const world = aWorldWith(controlPlane, [['b', controlPlane, true]]);
  put(world, 'node-1', controlPlane, true);
  expect(await seenIn(world)).toMatchObject({ kind: 'judged' });
  expect(listed(world)).toBe(0);
});

test('the cordon of a control plane Node is exclusive', () => {
  const seen = { kind: 'schedulable', name: 'node-1', uid: 'u', isExclusive: true } as const;
  expect(drain.decide(subject, seen, after(10))).toMatchObject({
    effects: [{ kind: 'cordon', node: 'node-1', uid: 'u', exclusive: { namespace: 'default' } }],
    events: [{ reason: 'DrainProceeds' }],
  });
});

test('a Node that must wait says for which, and looks again when that one is gone or free', () => {
  const seen = { kind: 'not-permitted', name: 'node-1', other: aNode({ name: 'b', uid: 'b-uid' }) } as const;
  expect(drain.decide(subject, seen, after(10))).toEqual({
    kind: 'wait',
    until: [{ kind: 'node-freed', name: 'b', uid: 'b-uid', resourceVersion: '50' }],
    report: {
      reason: 'DrainingNode',
      message: 'Node node-1 is not cordoned while Node b, of the control plane too, is cordoned',
      error: notPermitted,
    },
    requeueAfterSeconds: 20,
    events: [
      {
        type: 'Normal',
        reason: 'DrainProceeds',
        message: 'Node drain proceeds',
        component: 'machine-drain-controller',
      },
      {
        type: 'Normal',
        reason: 'DrainRequeued',
        message: `Node drain requeued: ${notPermitted}`,
        component: 'machine-drain-controller',
      },
    ],
  });
});

test('a Node whose cordon another one forestalled says the same, and tries again soon', () => {
  expect(drain.onUnavailable(subject, notPermitted, after(10))).toMatchObject({
    kind: 'wait',
    report: { error: notPermitted },
    requeueAfterSeconds: 5,
  });
});

/** What comes of it when the Node cannot be read for this reason. */
function failing(error: Error): Promise<unknown> {
  const world = aWorldWith({});
  world.workload.on('get nodes/node-1', () => {
    throw error;
  });
  return seenIn(world).catch((why: unknown) => why);
}

describe('a Node that cannot be read', () => {
  const unread = 'unable to get node "node-1": no answer';
  test("is told of in OpenShift's words, and asked for no sooner than the API server wants", async () => {
    const why = await failing(new Unavailable('no answer', { retryAfterSeconds: 7 }));
    expect(why).toBeInstanceOf(Unavailable);
    expect(why).toMatchObject({ message: unread, retryAfterSeconds: 7 });
    expect(drain.onUnavailable(subject, unread, after(10))).toMatchObject({ report: { error: unread } });
  });

  test('because of a defect of ours is no answer of the API server', async () => {
    const defect = new TypeError('a defect');
    expect(await failing(defect)).toBe(defect);
  });
});

test('a drain that the Machine says is over is not gone into again', async () => {
  const world = aWorldWith({});
  const conditions = [{ type: 'Drained', status: 'True' }];
  const drained = aSubject({ dialect: openShift, machine: aMachine({ status: { conditions } }) });
  expect(await seenIn(world, drained)).toEqual({ kind: 'drained-before' });
  expect(world.workload.reads).toEqual([]);
});
