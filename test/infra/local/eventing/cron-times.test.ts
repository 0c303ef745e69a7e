import { describe, expect, test } from 'vitest';
import { nextTime } from '../../../../infra/local/eventing/ping-source.ts';
import { parseCron } from '../../../../infra/serverless/cron.ts';

const next = (schedule: string, now: string) => {
  const time = nextTime(parseCron(schedule), Date.parse(now));
  return time === undefined ? undefined : new Date(time).toISOString();
};

// The 20th of November 2026 is a Friday.
test.each([
  ['* * * * *', '2026-11-20T12:00:00.000Z', '2026-11-20T12:01:00.000Z'],
  ['*/5 * * * * *', '2026-11-20T12:00:00.000Z', '2026-11-20T12:00:05.000Z'],
  ['*/5 * * * * *', '2026-11-20T12:00:04.999Z', '2026-11-20T12:00:05.000Z'],
  ['0 */3 * * * *', '2026-11-20T23:57:00.000Z', '2026-11-21T00:00:00.000Z'],
  ['5/20 * * * * *', '2026-11-20T12:00:05.000Z', '2026-11-20T12:00:25.000Z'],
  ['10-20/5,50 * * * * *', '2026-11-20T12:00:20.000Z', '2026-11-20T12:00:50.000Z'],
  ['30 4 * * *', '2026-11-20T12:00:00.000Z', '2026-11-21T04:30:00.000Z'],
  ['0 0 31 * *', '2026-11-20T12:00:00.000Z', '2026-12-31T00:00:00.000Z'],
  ['0 0 29 2 *', '2026-11-20T12:00:00.000Z', '2028-02-29T00:00:00.000Z'],
  ['0 0 * * MON-WED', '2026-11-20T12:00:00.000Z', '2026-11-23T00:00:00.000Z'],
  ['0 0 1 jan ?', '2026-11-20T12:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['0 0 1 * SUN', '2026-11-20T12:00:00.000Z', '2026-11-22T00:00:00.000Z'],
  ['0 0 1 * */2', '2026-11-20T12:00:00.000Z', '2026-12-01T00:00:00.000Z'],
  ['@hourly', '2026-11-20T12:00:00.000Z', '2026-11-20T13:00:00.000Z'],
  ['@daily', '2026-11-20T12:00:00.000Z', '2026-11-21T00:00:00.000Z'],
  ['@weekly', '2026-11-20T12:00:00.000Z', '2026-11-22T00:00:00.000Z'],
  ['@monthly', '2026-11-20T12:00:00.000Z', '2026-12-01T00:00:00.000Z'],
  ['@yearly', '2026-11-20T12:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['0 0 31 2 *', '2026-11-20T12:00:00.000Z', undefined],
])('%s after %s is %s', (schedule, now, expected) => {
  expect(next(schedule, now)).toBe(expected);
});

describe('what is refused', () => {
  test.each([
    ['@every 5s', '@every 5s is not a descriptor of a PingSource'],
    ['* * * *', 'five or six fields are needed, not 4'],
    ['60 * * * *', '"60" is no minute'],
    ['* * 0 * *', '"0" is no day of month'],
    ['*/0 * * * *', '"*/0" is no minute'],
    ['9-5 * * * *', '"9-5" is no minute'],
    ['1-2-3 * * * *', '"1-2-3" is no minute'],
    ['* * * * noday', '"noday" is no day of week'],
    ['1,, * * * *', '"" is no minute'],
  ])('%s: %s', (schedule, reason) => {
    expect(() => parseCron(schedule)).toThrow(reason);
  });
});
