import { describe, expect, test } from 'vitest';
import { phaseFunctions } from '../../infra/host/phases.ts';
import type { PodRecord } from '../../shared/drain/pod-record.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../builders/cluster-api.ts';
import { pod, record } from '../builders/pods.ts';
import { aCommand, atCheckpoint, aWorld, deletingCondition, type World } from '../builders/world.ts';

const aDrain = (): World =>
  aWorld(
    aRawMachine({
      annotations: atCheckpoint(aCheckpoint({ seq: 1, phase: 'drain', reached: timeAfter(1) })),
    }),
  );

const drain = (world: World, env = world.env) => reconcilePhase(env, phaseFunctions.drain, aCommand());

/** A Pod of that name, made so many seconds after the deletion began. */
function onNode({ workload }: World, uid: string, seconds: number): void {
  const made = pod('ns/agent');
  Object.assign(made.metadata, { uid, creationTimestamp: timeAfter(seconds) });
  workload.put('pods', { ...made, spec: { nodeName: 'node-1' } });
}

/** So many seconds after a Pod was evicted, and another one has come in its place. */
function returned(seconds: number, changes: Partial<PodRecord> = {}): World {
  const world = aDrain();
  world.time.now = after(10 + seconds);
  const predecessor = { podUid: 'first', outcome: 'accepted', lastAttempt: after(10), ...changes } as const;
  world.env.cache.rememberPods('uid-1', [record('ns/agent', predecessor)]);
  onNode(world, 'second', 12);
  return world;
}

const ends = ({ kept }: World) => kept.map(({ until }) => until);
const evictions = ({ log }: World) => log.filter((entry) => entry.startsWith('evict '));

test.each([20, 60, 3_000])(
  'a Pod that came back to the cordoned Node is left to the unhurried look, %s seconds after its predecessor',
  async (seconds) => {
    const world = returned(seconds);
    await drain(world);
    expect(world.log).toContain('record 1 evictions');
    expect(ends(world).map((until) => until.map(({ kind }) => kind))).toEqual([['time']]);
  },
);

describe('a Pod that came back 5 seconds after the eviction of its predecessor', () => {
  test('is not evicted yet, and is looked at when it may be', async () => {
    const world = returned(5);
    await drain(world);
    expect(evictions(world)).toEqual([]);
    const rest = { kind: 'time', at: after(30) };
    expect(ends(world)).toEqual([[rest, rest]]);
  });

  test('is named in a line of ours, and no Pod above is said to go first', async () => {
    const world = returned(5);
    await drain(world);
    expect(deletingCondition(world)).toEqual({
      reason: 'DrainingNode',
      message: [
        'Drain not completed yet (started at 2026-01-01T12:00:01Z):',
        'Pod ns/agent came back to the cordoned Node after an eviction, and is evicted again every 20 s',
      ].join('\n'),
    });
  });

  test('is evicted at once when a clock that was far ahead wrote of its predecessor', async () => {
    const world = returned(5, { lastAttempt: after(3_600) });
    await drain(world);
    expect(evictions(world)).toHaveLength(1);
  });
});

test('a Pod that was there before the deletion is evicted at once, whatever was evicted just now', async () => {
  const world = returned(5);
  onNode(world, 'second', -1);
  await drain(world);
  expect(evictions(world)).toHaveLength(1);
});

test('of two instances the one does not evict what came in the place of what the other has evicted', async () => {
  const world = aDrain();
  const other = world.another();
  onNode(world, 'first', -60);
  await drain(world);
  for (const [index, env] of [other, world.env, other, world.env].entries()) {
    world.time.now += 5;
    onNode(world, `next-${index}`, 10);
    await drain(world, env);
  }
  expect(evictions(world)).toHaveLength(1);
  world.time.now = after(30);
  await drain(world, other);
  expect(evictions(world)).toHaveLength(2);
});
