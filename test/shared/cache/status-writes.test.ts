import { describe, expect, test } from 'vitest';
import { SaidStatuses, type Saying } from '../../../shared/cache/status-writes.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';

const saying = (text: string, failure?: Saying['failure']): Saying => ({
  status: { text },
  over: { text: 'another one' },
  failure,
});
const failed = (text: string): Saying => saying(text, 'DrainingNode');
const over = (standing: string, next: Saying): Saying => ({ ...next, over: { text: standing } });

function afterSaying(...sayings: Saying[]) {
  const clock = manualClock();
  const said = new SaidStatuses(clock);
  for (const each of sayings) said.remember('uid-1', each);
  return { clock, said };
}

describe('a status', () => {
  test.each<[string, before: Saying[], Saying, boolean]>([
    ['is said the first time', [], saying('a'), false],
    ['is not said again at once', [saying('a')], saying('a'), true],
    ['is said when it is another one', [saying('a')], saying('b'), false],
    ['is not said again in its own place after another one', [saying('a'), saying('b')], saying('a'), true],
    ['is said again in the place of another one', [saying('a')], over('b', saying('a')), false],
    ['is said again where none is any more', [saying('a')], { ...saying('a'), over: undefined }, false],
    ['is said of a failure after the first text', [failed('a')], failed('b'), false],
    ['is not said of a failure after the second text', [failed('a'), failed('b')], failed('c'), true],
    [
      'is said after two texts of another failure',
      [failed('a'), failed('b')],
      saying('c', 'Deleting'),
      false,
    ],
    ['is said where nothing failed, after two failures', [failed('a'), failed('b')], saying('c'), false],
    ['is said where nothing failed, after two others', [saying('a'), saying('b')], saying('c'), false],
  ])('%s', (_what, before, next, isTooSoon) => {
    expect(afterSaying(...before).said.isTooSoon('uid-1', next)).toBe(isTooSoon);
  });

  test('is said of one Machine whatever was said of another', () => {
    expect(afterSaying(saying('a')).said.isTooSoon('uid-2', saying('a'))).toBe(false);
  });

  test('is the same with another time', () => {
    const { said } = afterSaying(over('2026-01-01T11:00:00Z', saying('2026-01-01T12:00:00Z')));
    const later = over('2026-01-01T11:00:05Z', saying('2026-01-01T12:00:05Z'));
    expect(said.isTooSoon('uid-1', later)).toBe(true);
  });

  test('is said again after ten seconds', async () => {
    const { clock, said } = afterSaying(saying('a'));
    await clock.advance(9_999);
    expect(said.isTooSoon('uid-1', saying('a'))).toBe(true);
    await clock.advance(1);
    expect(said.isTooSoon('uid-1', saying('a'))).toBe(false);
  });

  test('is said of a failure with the next attempt, five seconds later', async () => {
    const { clock, said } = afterSaying(failed('a'), failed('b'));
    await clock.advance(4_999);
    expect(said.isTooSoon('uid-1', failed('c'))).toBe(true);
    await clock.advance(1);
    expect(said.isTooSoon('uid-1', failed('c'))).toBe(false);
  });

  test('is still too soon when others were said before it, and those are long ago', async () => {
    const { clock, said } = afterSaying(failed('a'), failed('b'));
    await clock.advance(9_000);
    said.remember('uid-1', failed('c'));
    await clock.advance(1_000);
    expect(said.isTooSoon('uid-1', failed('d'))).toBe(false);
    said.remember('uid-1', failed('d'));
    expect(said.isTooSoon('uid-1', failed('e'))).toBe(true);
  });
});
