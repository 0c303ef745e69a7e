import { describe, expect, test } from 'vitest';
import { volumeDetach } from '../../functions/volume-detach.ts';
import { Unavailable, Undetermined } from '../../shared/kubernetes/errors.ts';
import type { Checkpoint } from '../../shared/machine/checkpoint.ts';
import type { PhaseOutcome } from '../../shared/machine/reason.ts';
import type { Subject } from '../../shared/phase/definition.ts';
import { openSnapshot } from '../../shared/read/open-snapshot.ts';
import { timeAfter } from '../builders/cluster-api.ts';
import { pod } from '../builders/pods.ts';
import { aNode, aSubject } from '../builders/subject.ts';
import { aWorld, type World } from '../builders/world.ts';

const observed = ({ env }: World, subject: Subject) =>
  volumeDetach.observe(openSnapshot(env, subject), subject);

/** Ten seconds after the deletion; the Machine has nothing that limits the wait. */
function detaching(
  drainedAs: PhaseOutcome,
  { annotations, ...checkpoint }: Partial<Checkpoint> & { annotations?: Record<string, string> } = {},
): Subject {
  const passed = { drain: { as: drainedAs, since: timeAfter(0) } };
  return aSubject({
    phase: 'volume-detach',
    checkpoint: { passed, ...checkpoint },
    ...(annotations === undefined ? {} : { annotations }),
  });
}

const volume = 'kubernetes.io/csi/d^1';
const excluded = { 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '' };

test.each<[what: string, change: (world: World) => void, why: string]>([
  [
    'a Node that has gone',
    ({ workload }) => workload.drop('nodes/node-1'),
    'the Node does not exist any more',
  ],
  ['a Node with nothing attached', () => undefined, 'no volume is attached'],
])('%s has nothing to wait for, and why is said', async (_what, change, why) => {
  const world = aWorld();
  change(world);
  expect(await observed(world, detaching('done', { since: timeAfter(9) }))).toEqual({
    kind: 'nothing-attached',
    why,
  });
});

test.each<[when: string, since: string, verdicts: number, reads: string[]]>([
  ['just drained', timeAfter(9), 0, ['get nodes/node-1']],
  ['drained some time ago', timeAfter(1), 1, ['get nodes/node-1', 'list pods']],
])('of a Node that nobody hears from, %s, only Pods count', async (_when, since, verdicts, reads) => {
  const world = aWorld();
  world.workload.put('nodes', aNode({ ready: 'Unknown', volumesAttached: [volume] }));
  world.workload.put('pods', { ...pod('ns/a'), spec: { nodeName: 'node-1' } });
  const seen = await observed(world, detaching('done', { since }));
  expect(seen).toEqual({ kind: 'unreachable', verdicts: expect.any(Array) });
  expect('verdicts' in seen && seen.verdicts).toHaveLength(verdicts);
  expect(world.workload.reads).toEqual(reads);
});

test.each<PhaseOutcome>(['done', 'not-applicable'])(
  'a Machine that is excluded is not waited for, and nothing is read of volumes for that, after a drain that was %s',
  async (drainedAs) => {
    const world = aWorld();
    expect(await observed(world, detaching(drainedAs, { annotations: excluded }))).toEqual({
      kind: 'closed',
      gate: {
        allowed: false,
        passing: 'excluded',
        why: 'Machine has the machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach annotation',
      },
    });
    expect(world.workload.reads).toEqual(['get nodes/node-1', 'list pods']);
  },
);

test('nothing at all is read for a Machine that is excluded from the drain, too', async () => {
  const world = aWorld();
  const annotations = { ...excluded, 'machine.cluster.x-k8s.io/exclude-node-draining': '' };
  expect(await observed(world, detaching('excluded', { annotations }))).toMatchObject({ kind: 'closed' });
  expect(world.workload.reads).toEqual([]);
  expect(world.management.reads).toEqual([]);
});

test.each<[seconds: number, reads: string[]]>([
  [5, ['get nodes/node-1', 'list volumeattachments']],
  [6, ['get nodes/node-1', 'list volumeattachments', 'list pods']],
])('%i s after the drain Pods are looked for again or not', async (seconds, reads) => {
  const world = aWorld();
  const subject = detaching('done', { since: timeAfter(10 - seconds) });
  expect(await observed(world, subject)).toEqual({ kind: 'nothing-attached', why: 'no volume is attached' });
  expect(world.workload.reads).toEqual(reads);
});

test('Pods are looked for on a Node that says nothing of a cordon', async () => {
  const world = aWorld();
  const { spec, ...rest } = aNode();
  const bare = { ...rest, spec: { providerID: spec?.providerID } };
  world.workload.put('nodes', bare);
  await observed(world, detaching('done', { since: timeAfter(9) }));
  expect(world.workload.reads).toContain('list pods');
});

test('only the Pods of the Node are judged', async () => {
  const world = aWorld();
  world.workload.put('nodes', aNode({ volumesAttached: [volume] }));
  for (const nodeName of ['node-1', 'node-2'])
    world.workload.put('pods', { ...pod(`ns/on-${nodeName}`), spec: { nodeName } });
  expect(await observed(world, detaching('done'))).toMatchObject({
    kind: 'attached',
    verdicts: [{ pod: { metadata: { name: 'on-node-1' } } }],
  });
});

const noAnswer = new Unavailable('no answer');

const unread = (world: World): void =>
  world.workload.on('get nodes/node-1', () => {
    throw noAnswer;
  });
const unjudged = (world: World): void => {
  world.workload.put('nodes', aNode());
  const inline = { attacher: 'csi', nodeName: 'node-1', source: { inlineVolumeSpec: {} } };
  world.workload.put('volumeattachments', {
    metadata: { name: 'va' },
    spec: inline,
    status: { attached: true },
  });
};
const goes = ({ management }: World): void =>
  management.change('servers/default/m-1', {
    metadata: { deletionTimestamp: timeAfter(5), finalizers: ['example.com/x'] },
  });

describe('where nothing is known of volumes', () => {
  test.each<[string, (world: World) => void, (world: World) => void, string]>([
    [
      'the Node cannot be read and the server is going',
      unread,
      goes,
      'the infrastructure object is being deleted',
    ],
    [
      'the Node cannot be read and the server is gone',
      unread,
      ({ management }) => management.drop('servers/default/m-1'),
      'the infrastructure object does not exist',
    ],
    [
      'an attachment cannot be judged and the server is going',
      unjudged,
      goes,
      'the infrastructure object is being deleted',
    ],
  ])('they are not waited for: %s', async (_where, hide, go, why) => {
    const world = aWorld();
    hide(world);
    go(world);
    expect(await observed(world, detaching('done'))).toEqual({
      kind: 'closed',
      gate: { allowed: false, passing: 'not-applicable', why },
    });
  });

  test.each([
    ['the Node cannot be read', unread],
    ['an attachment cannot be judged', unjudged],
  ])('that is put off where the infrastructure cannot be read either: %s', async (_what, hide) => {
    const world = aWorld();
    hide(world);
    world.management.on('get servers/default/m-1', () => {
      throw new Unavailable('nor this');
    });
    await expect(observed(world, detaching('done'))).rejects.toThrow(Undetermined);
  });

  test('a mistake of ours is none of that', async () => {
    const world = aWorld();
    world.workload.on('get nodes/node-1', () => {
      throw new TypeError('undefined is not a function');
    });
    goes(world);
    await expect(observed(world, detaching('done'))).rejects.toThrow(TypeError);
    const other = aWorld();
    unread(other);
    other.management.on('get servers/default/m-1', () => {
      throw new TypeError('undefined is not a function');
    });
    await expect(observed(other, detaching('done'))).rejects.toThrow(TypeError);
  });
});

test.each(['nodes/node-1', 'volumeattachments', 'pods', 'persistentvolumes'])(
  'nothing is known of volumes while there is no answer to what is asked of %s',
  async (what) => {
    const world = aWorld();
    world.workload.put('nodes', aNode({ volumesAttached: [volume] }));
    world.workload.on(what.includes('/') ? `get ${what}` : `list ${what}`, () => {
      throw noAnswer;
    });
    await expect(observed(world, detaching('done'))).rejects.toBe(noAnswer);
  },
);
