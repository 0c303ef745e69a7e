import { expect, test } from 'vitest';
import { Cache } from '../../../shared/cache/cache.ts';
import { forgetReport, isNewReport, isReportExpired } from '../../../shared/cache/ledger.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';

test('a report is news until it was told, and again after another one, or where it was not heard', () => {
  const cache = new Cache(manualClock());
  const tell = (key: string): boolean => isNewReport(cache, 'uid-1', key);
  expect([tell('a'), tell('a'), tell('b'), tell('a')]).toEqual([true, false, true, true]);
  expect(isNewReport(cache, 'uid-2', 'a')).toBe(true);
  forgetReport(cache, 'uid-1');
  expect(tell('a')).toBe(true);
});

test('a report that goes on is due again after ten minutes, once', async () => {
  const clock = manualClock();
  const cache = new Cache(clock);
  expect(isReportExpired(cache, 'uid-1')).toBe(false);
  isNewReport(cache, 'uid-1', 'a');
  await clock.advance(599_999);
  expect(isReportExpired(cache, 'uid-1')).toBe(false);
  await clock.advance(1);
  expect([isReportExpired(cache, 'uid-1'), isReportExpired(cache, 'uid-1')]).toEqual([true, false]);
  expect(isNewReport(cache, 'uid-1', 'a')).toBe(false);
});
