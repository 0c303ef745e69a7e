import { describe, expect, test } from 'vitest';
import { finalize } from '../../../functions/finalize.ts';
import { originalApi } from '../../../shared/dialects/v1alpha1/index.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { surroundingsOf } from '../../../shared/read/surroundings.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, timeAfter } from '../../builders/cluster-api.ts';
import { aControlPlaneOriginal, aRawOriginal, finalizer } from '../../builders/v1alpha1.ts';
import { anOriginalWorld } from '../../builders/v1alpha1-world.ts';
import { aCommand, atCheckpoint, machinePath } from '../../builders/world.ts';

const versions = { kubelet: '1.13.6', controlPlane: '1.13.6' };

const { apiVersion } = originalApi.read(aRawOriginal()).ref;
const command = aCommand({
  phase: 'finalize',
  seq: 2,
  machine: { apiVersion, namespace: 'default', name: 'm-1', uid: 'uid-1' },
});

/** m-1, which is about to be let go, among the members of the control plane that its cluster has. */
function aWorldOf(spec: Record<string, unknown>, finalizers = [finalizer]) {
  const annotations = atCheckpoint(aCheckpoint({ phase: 'finalize', seq: 2 }));
  const world = anOriginalWorld(aRawOriginal({ metadata: { annotations, finalizers }, spec }));
  const counts = async (machine = aControlPlaneOriginal('cp-1')) => {
    const surroundings = await surroundingsOf(world.env, originalApi.read(machine), originalApi, {
      nodeDeletion: true,
    });
    return surroundings.controlPlaneMembers;
  };
  const letGo = async () => {
    await reconcilePhase(world.env, finalize, command);
    world.management.drop(machinePath);
  };
  return { world, counts, letGo };
}

test('a member that was let go is not counted at the same moment any more', async () => {
  const { counts, letGo } = aWorldOf({ versions });
  expect(await counts()).toBe(4);
  await letGo();
  expect(await counts()).toBe(3);
  expect(await counts(aRawOriginal({ metadata: { name: 'm-2', uid: 'uid-2' } }))).toBe(3);
});

test.each<[who: string, machine: KubeObject, milliseconds: number]>([
  ['a member', aControlPlaneOriginal('cp-1'), 1_000],
  ['a worker', aRawOriginal({ metadata: { name: 'm-2', uid: 'uid-2' } }), 5_000],
])('%s may rely on a count for so long', async (_who, machine, milliseconds) => {
  const { world, counts } = aWorldOf({});
  expect(await counts(machine)).toBe(3);
  world.management.drop('machines/default/cp-3');
  world.time.now += milliseconds;
  expect(await counts(machine)).toBe(3);
  world.time.now += 1;
  expect(await counts(machine)).toBe(2);
});

test.each<[when: string, milliseconds: number, members: number]>([
  ['a second later', 1_000, 0],
  ['after a second: one may have been made', 1_001, 1],
])('a worker may rely on it that there is none: %s', async (_when, milliseconds, members) => {
  const { world, counts } = aWorldOf({});
  for (const name of ['cp-1', 'cp-2', 'cp-3']) world.management.drop(`machines/default/${name}`);
  const worker = aRawOriginal({ metadata: { name: 'm-2', uid: 'uid-2' } });
  expect(await counts(worker)).toBe(0);
  world.management.put('machines', aControlPlaneOriginal('cp-4'));
  world.time.now += milliseconds;
  expect(await counts(worker)).toBe(members);
});

test('one that somebody else still holds is counted', async () => {
  const { world, counts } = aWorldOf({ versions }, [finalizer, 'example.com/x']);
  await counts();
  await reconcilePhase(world.env, finalize, command);
  expect(await counts()).toBe(4);
});

test('they are not counted again because a worker went', async () => {
  const { world, counts, letGo } = aWorldOf({});
  await counts();
  await letGo();
  await counts();
  expect(world.management.reads.filter((read) => read === 'list machines')).toHaveLength(1);
});

/** It has come to the end of its Node. */
function atItsNode(name: string, seconds: number): KubeObject {
  const place = {
    uid: `uid-${name}`,
    phase: 'node',
    seq: 1,
    since: new Date(after(seconds)).toISOString(),
  } as const;
  const annotations = atCheckpoint(aCheckpoint(place));
  return aControlPlaneOriginal(name, { annotations, deletionTimestamp: timeAfter(0) });
}

describe('members that come to the end of their Nodes side by side', () => {
  const worker = aRawOriginal({ metadata: { name: 'm-2', uid: 'uid-2' } });
  const members = [atItsNode('cp-1', 10), atItsNode('cp-2', 10), atItsNode('cp-3', 9.5)];

  test('are counted as if they went one after the other, whoever counts', async () => {
    const { world, counts } = aWorldOf({});
    for (const member of members) world.management.put('machines', member);
    expect(await Promise.all(members.map(counts))).toEqual([2, 1, 3]);
    expect(await counts(worker)).toBe(0);
  });

  test('are counted by what is there now', async () => {
    const { world, counts } = aWorldOf({});
    await counts();
    for (const member of members) world.management.put('machines', member);
    expect(await counts(members[1])).toBe(1);
  });

  test('are let go within a second of that, and not later', async () => {
    const { world, counts } = aWorldOf({});
    for (const member of members) world.management.put('machines', member);
    world.time.now += 1_000;
    expect(await counts(worker)).toBe(1);
  });

  test('have come to it when they did, also once they are about to be let go', async () => {
    const { world, counts } = aWorldOf({});
    const place = {
      uid: 'uid-cp-1',
      phase: 'finalize',
      seq: 2,
      since: timeAfter(10),
      passed: { node: { as: 'done', since: timeAfter(9) } },
    } as const;
    const annotations = atCheckpoint(aCheckpoint(place));
    const first = aControlPlaneOriginal('cp-1', { annotations, deletionTimestamp: timeAfter(0) });
    const second = atItsNode('cp-2', 9.5);
    for (const member of [first, second]) world.management.put('machines', member);
    expect(await counts(second)).toBe(2);
    expect(await counts(first)).toBe(3);
  });

  test('are counted for workers at their Nodes by what was seen a moment ago', async () => {
    const { world, counts } = aWorldOf({});
    const annotations = atCheckpoint(aCheckpoint({ uid: 'uid-2', phase: 'node', since: timeAfter(10) }));
    const going = aRawOriginal({ metadata: { name: 'm-2', uid: 'uid-2', annotations } });
    await counts(worker);
    await counts(going);
    expect(world.management.reads.filter((read) => read === 'list machines')).toHaveLength(1);
  });

  test('are counted with the one who asks, also where it has come there since it was last seen', async () => {
    const { world, counts } = aWorldOf({});
    world.management.put('machines', members[0]!);
    expect(await counts(aControlPlaneOriginal('cp-1'))).toBe(3);
    expect(await counts(aControlPlaneOriginal('cp-2'))).toBe(2);
  });

  test('are counted again when they stay there', async () => {
    const { world, counts } = aWorldOf({});
    for (const member of members) world.management.put('machines', member);
    world.time.now += 1_500;
    expect(await counts(worker)).toBe(3);
  });

  test('are counted again when others hold what we have let go', async () => {
    const { world, counts } = aWorldOf({});
    for (const { metadata, ...rest } of members)
      world.management.put('machines', { ...rest, metadata: { ...metadata, finalizers: ['example.com/x'] } });
    expect(await counts(worker)).toBe(3);
  });
});
