import { describe, expect, test } from 'vitest';
import { beginningAt, isToCome, presentAt, withoutFuture } from '../../../shared/machine/timestamps.ts';
import { aCheckpoint, after, aMachine, timeAfter } from '../../builders/cluster-api.ts';

const writtenAfter = (...seconds: number[]) => ({
  metadata: { managedFields: seconds.map((second) => ({ manager: 'x', time: timeAfter(second) })) },
});

describe('the present', () => {
  test.each<[string, Parameters<typeof aMachine>[0], number, number]>([
    ['is what our clock says', {}, 10, 10],
    ['is never before the deletion: the API server has dated it', {}, -500, 1],
    ['is what our clock says after the last write, too', writtenAfter(7, 9), 10.5, 10.5],
    ['is not before the last write: our clock is behind', writtenAfter(300, 200), 10, 301],
    [
      'is what our clock says where nobody has dated the writes',
      { metadata: { managedFields: [{ manager: 'x' }, { time: 'late' }, 'all'] } },
      10,
      10,
    ],
    ['is what our clock says where that is no list', { metadata: { managedFields: {} } }, 10, 10],
  ])('%s', (_what, machine, now, present) => {
    expect(presentAt(aMachine(machine), after(now))).toBe(after(present));
  });

  test('is what our clock says of a Machine that nobody deletes', () => {
    const { deletionTimestamp: _, ...living } = aMachine();
    expect(presentAt(living, after(-500))).toBe(after(-500));
  });
});

test.each<[string, Parameters<typeof aMachine>[0], number, number]>([
  ['by our clock', {}, 10, 10],
  ['with the deletion at the earliest', {}, -500, 0],
  ['by our clock after the last write', writtenAfter(7, 9), 9.5, 9.5],
  ['with the last write at the earliest', writtenAfter(300, 200), 10, 300],
])('what begins now begins %s', (_when, machine, now, began) => {
  expect(beginningAt(aMachine(machine), after(now))).toBe(after(began));
});

test.each<[string, boolean]>([
  [timeAfter(9), false],
  [timeAfter(40), false],
  [timeAfter(41), true],
  ['2026-01-01T14:00:40+02:00', false],
  ['2026-01-01T14:00:41+02:00', true],
  ['soon', false],
  ['undefined', false],
])('at 12:00:10 %s is to come, by more than clocks differ: %s', (time, isSo) => {
  expect(isToCome(time, after(10))).toBe(isSo);
});

const done = (seconds: number) => ({ as: 'done' as const, since: timeAfter(seconds) });

describe('a checkpoint', () => {
  test('with starts that have come stays the very same', () => {
    const checkpoint = aCheckpoint({ since: timeAfter(40), passed: { 'pre-drain': done(39) } });
    expect(withoutFuture(checkpoint, after(10))).toBe(checkpoint);
  });

  test.each<[string, Parameters<typeof aCheckpoint>[0], Parameters<typeof aCheckpoint>[0]]>([
    [
      'the start of its phase',
      { phase: 'volume-detach', since: timeAfter(10_000), passed: { drain: done(1) } },
      { phase: 'volume-detach', since: '2026-01-01T12:00:10.500Z', passed: { drain: done(1) } },
    ],
    [
      'the starts of phases that were passed',
      {
        since: timeAfter(10),
        passed: { drain: { as: 'timed-out', since: timeAfter(10_000) }, 'pre-drain': done(40) },
      },
      {
        since: timeAfter(10),
        passed: { drain: { as: 'timed-out', since: '2026-01-01T12:00:10.500Z' }, 'pre-drain': done(40) },
      },
    ],
    [
      'the start of a phase without a time limit, which was not handed on lately,',
      { phase: 'infrastructure', since: timeAfter(10_000) },
      {
        phase: 'infrastructure',
        since: '2026-01-01T12:00:10.500Z',
        reached: '2026-01-01T11:59:40.500Z',
      },
    ],
    [
      'the start of one before which another was over by that clock, which is taken at its word,',
      {
        phase: 'infrastructure',
        since: timeAfter(10_000),
        passed: { drain: { as: 'timed-out', since: timeAfter(1) } },
      },
      {
        phase: 'infrastructure',
        since: '2026-01-01T12:00:10.500Z',
        passed: { drain: { as: 'timed-out', since: timeAfter(1) } },
      },
    ],
    [
      'the start of one that is known to have been handed on before',
      { phase: 'infrastructure', since: timeAfter(10_000), reached: timeAfter(3) },
      { phase: 'infrastructure', since: '2026-01-01T12:00:10.500Z', reached: timeAfter(3) },
    ],
    [
      'when one that had begun was handed on, which was not lately,',
      {
        phase: 'volume-detach',
        since: timeAfter(2),
        reached: timeAfter(10_000),
        passed: { drain: done(1) },
      },
      {
        phase: 'volume-detach',
        since: timeAfter(2),
        reached: '2026-01-01T11:59:40.500Z',
        passed: { drain: done(1) },
      },
    ],
    [
      'when one was handed on before which another was over by that clock, which is taken at its word,',
      {
        phase: 'volume-detach',
        since: timeAfter(10_060),
        reached: timeAfter(10_000),
        passed: { drain: { as: 'timed-out', since: timeAfter(1) } },
      },
      {
        phase: 'volume-detach',
        since: '2026-01-01T12:00:10.500Z',
        reached: '2026-01-01T12:00:10.500Z',
        passed: { drain: { as: 'timed-out', since: timeAfter(1) } },
      },
    ],
  ])('has %s stamped with the present where it lay in the future, and nothing else', (_what, was, is) => {
    const more = { seq: 7, node: 'node-uid-1' };
    expect(withoutFuture(aCheckpoint({ ...was, ...more }), after(10.5))).toEqual(
      aCheckpoint({ ...is, ...more }),
    );
  });

  test('is stamped once: what it says then has come', () => {
    const stamped = withoutFuture(aCheckpoint({ since: timeAfter(10_000) }), after(10));
    expect(withoutFuture(stamped, after(10))).toBe(stamped);
  });
});
