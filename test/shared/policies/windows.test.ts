import { describe, expect, test } from 'vitest';
import { isOpen, nextOpening, scheduleProblem, type Window } from '../../../shared/policies/windows.ts';

const nights: Window = { schedule: '0 22 * * 1-5', timeZone: 'Europe/Berlin', durationSeconds: 6 * 3_600 };
const skipped: Window = { ...nights, schedule: '30 2 * * *', durationSeconds: 3_600 };
const at = (text: string): number => Date.parse(text);
const opening = (window: Window, now: string): string | undefined => {
  const next = nextOpening([window], at(now));
  return next === undefined ? undefined : new Date(next).toISOString();
};

// The 23rd of October 2026 is a Friday. Clocks change on the 25th, and on the 28th of March 2027.
describe('a window is open', () => {
  test.each([
    ['not a second before its time', nights, '2026-10-23T19:59:59Z', false],
    ['from its time on', nights, '2026-10-23T20:00:00Z', true],
    ['until its duration is over', nights, '2026-10-24T01:59:59Z', true],
    ['no longer', nights, '2026-10-24T02:00:00Z', false],
    ['not on another day', nights, '2026-10-24T20:30:00Z', false],
    ['by winter time once the clock is set back', nights, '2026-10-26T20:30:00Z', false],
    ['by winter time then', nights, '2026-10-26T21:00:00Z', true],
    ['at the next minute where the clock skips its time', skipped, '2027-03-28T01:00:00Z', true],
    ['not before that', skipped, '2027-03-28T00:59:59Z', false],
    ['at the first of two times of the same name', skipped, '2026-10-25T00:30:00Z', true],
    ['not again at the second one', skipped, '2026-10-25T01:30:00Z', false],
  ])('%s', (_when, window, now, expected) => {
    expect(isOpen([window], at(now))).toBe(expected);
  });

  test('always, where there is none', () => {
    expect(isOpen([], at('2026-10-23T12:00:00Z'))).toBe(true);
  });

  test('while any of several that overlap is', () => {
    const early: Window = { ...nights, schedule: '0 20 * * *', durationSeconds: 3 * 3_600 };
    const now = ['2026-10-23T18:00:00Z', '2026-10-23T20:30:00Z', '2026-10-24T01:00:00Z'];
    expect(now.map((each) => isOpen([early, nights], at(each)))).toEqual([true, true, true]);
  });
});

describe('the next opening', () => {
  test.each([
    ['is the next time of the schedule', nights, '2026-10-23T12:00:00Z', '2026-10-23T20:00:00.000Z'],
    ['passes the weekend over', nights, '2026-10-23T20:00:00Z', '2026-10-26T21:00:00.000Z'],
    [
      'comes with the next minute after a time that is skipped',
      skipped,
      '2027-03-27T12:00:00Z',
      '2027-03-28T01:00:00.000Z',
    ],
    ['is the first of a time that repeats', skipped, '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['comes a day after a time that repeats', skipped, '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
    [
      'may be a year away',
      { ...nights, schedule: '0 0 1 1 *' },
      '2026-01-01T00:00:00Z',
      '2026-12-31T23:00:00.000Z',
    ],
    [
      'is none where the day comes in no year',
      { ...nights, schedule: '0 0 30 2 *' },
      '2026-10-23T12:00:00Z',
      undefined,
    ],
    [
      'is none where it is more than 366 days away',
      { ...nights, schedule: '0 0 29 2 *' },
      '2026-10-23T12:00:00Z',
      undefined,
    ],
  ])('%s', (_what, window, now, expected) => {
    expect(opening(window, now)).toBe(expected);
  });

  test('of several windows is the first of theirs', () => {
    const noon: Window = { ...nights, schedule: '0 12 * * *' };
    expect(nextOpening([nights, noon], at('2026-10-23T08:00:00Z'))).toBe(at('2026-10-23T10:00:00Z'));
  });
});

test.each([
  ['0 22 * * 1-5', 'Europe/Berlin', undefined],
  ['0 22 * * MON-FRI', 'UTC', undefined],
  ['5/20 * * * *', 'UTC', undefined],
  ['0 22 * *', 'UTC', 'is no schedule of five fields'],
  ['0 0 22 * * 1-5', 'UTC', 'is no schedule of five fields'],
  ['@daily', 'UTC', 'is no schedule of five fields'],
  ['2026-10-23T12:00:00', 'UTC', 'is no schedule of five fields'],
  ['61 * * * *', 'UTC', 'is no schedule: Invalid value for minute: 61'],
  ['0 22 * * *', 'Europe/Nowhere', 'has an unknown time zone: Europe/Nowhere'],
])('a schedule %s of %s: %s', (schedule, timeZone, problem) => {
  expect(scheduleProblem({ schedule, timeZone })).toBe(problem);
});
