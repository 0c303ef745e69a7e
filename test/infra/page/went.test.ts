import { describe, expect, test } from 'vitest';
import { timeOf } from '../../../infra/page/client/parts/times.ts';
import { tookSeconds, wentBy } from '../../../infra/page/look/went.ts';
import type { HistoryEntry } from '../../../shared/store/port.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const at = (seconds: number) => start + seconds * 1_000;
const completed = (seconds: number): HistoryEntry => ({
  at: at(seconds),
  id: '1',
  phase: 'finalize',
  what: 'completed',
  reason: 'DeletionCompleted',
  message: '',
  by: 'local',
});

const clock = (time: number): string => new Date(time).toLocaleTimeString(undefined, { hour12: false });

describe('when a Machine went', () => {
  test.each([
    ['is when it was seen to go', { at: at(60) }, [], { at: at(60) }],
    [
      'is when its last finalizer went, where that was just before',
      { at: at(60) },
      [completed(59.9)],
      { at: at(59.9) },
    ],
    [
      'is when it was seen to go, where others held it longer',
      { at: at(60) },
      [completed(10)],
      { at: at(60) },
    ],
    [
      'is when the history says, where it was not seen',
      { at: at(900), after: at(5) },
      [completed(60)],
      { at: at(60) },
    ],
    [
      'lies between two times where nobody saw it',
      { at: at(900), after: at(5) },
      [],
      { at: at(900), after: at(5) },
    ],
    [
      'lies between two times where it was there after the end that the history has',
      { at: at(900), after: at(70) },
      [completed(60)],
      { at: at(900), after: at(70) },
    ],
    ['is never later than when it was missed', { at: at(60), after: at(5) }, [completed(61)], { at: at(60) }],
  ])('%s', (_what, seen, history, went) => {
    expect(wentBy(seen, history)).toEqual(went);
  });

  test('is told as a time, or as two where it was not seen', () => {
    expect(timeOf({ at: at(60) })).toBe(`at ${clock(at(60))}`);
    expect(timeOf({ at: at(60), after: at(5) })).toBe(`between ${clock(at(5))} and ${clock(at(60))}`);
  });

  test('took as long as since it was asked to go', () => {
    expect(tookSeconds({ at: at(60) }, '2026-01-01T00:00:00Z')).toBe(60);
    expect(tookSeconds({ at: at(60) }, undefined)).toBeUndefined();
  });
});
