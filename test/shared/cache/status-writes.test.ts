import { describe, expect, test } from 'vitest';
import { Cache } from '../../../shared/cache/cache.ts';
import { judgeStatusWrite, rememberStatusWrite, type WantedStatus } from '../../../shared/cache/ledger.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';

const saying = (text: string, failure?: WantedStatus['failure']): WantedStatus => ({
  status: { text },
  over: { text: 'another one', reason: 'Deleting' },
  version: '7',
  failure,
});
const failed = (text: string): WantedStatus => saying(text, 'DrainingNode');
const over = (standing: string, next: WantedStatus): WantedStatus => ({ ...next, over: { text: standing } });

function afterSaying(...written: WantedStatus[]) {
  const clock = manualClock();
  const cache = new Cache(clock);
  const say = (wanted: WantedStatus): void => rememberStatusWrite(cache, 'uid-1', wanted, 'written');
  for (const each of written) say(each);
  return { clock, cache, say, judge: (wanted: WantedStatus) => judgeStatusWrite(cache, 'uid-1', wanted) };
}

describe('a status', () => {
  test.each<[string, before: WantedStatus[], WantedStatus, 'write' | 'too-soon']>([
    ['is said the first time', [], saying('a'), 'write'],
    ['is not said again at once', [saying('a')], saying('a'), 'too-soon'],
    ['is said when it is another one', [saying('a')], saying('b'), 'write'],
    [
      'is not said again in its own place after another one',
      [saying('a'), saying('b')],
      saying('a'),
      'too-soon',
    ],
    ['is said again in the place of another one', [saying('a')], over('b', saying('a')), 'write'],
    ['is said again where none is any more', [saying('a')], { ...saying('a'), over: undefined }, 'write'],
    ['is said of a failure after the first text', [failed('a')], failed('b'), 'write'],
    ['is not said of a failure after the second text', [failed('a'), failed('b')], failed('c'), 'too-soon'],
    [
      'is said after two texts of another failure',
      [failed('a'), failed('b')],
      saying('c', 'Deleting'),
      'write',
    ],
    ['is said where nothing failed, after two failures', [failed('a'), failed('b')], saying('c'), 'write'],
    ['is said where nothing failed, after two others', [saying('a'), saying('b')], saying('c'), 'write'],
  ])('%s', (_what, before, next, verdict) => {
    expect(afterSaying(...before).judge(next)).toBe(verdict);
  });

  test('is said of one Machine whatever was said of another', () => {
    const { cache } = afterSaying(saying('a'));
    expect(judgeStatusWrite(cache, 'uid-2', saying('a'))).toBe('write');
  });

  test('is the same with another time', () => {
    const { judge } = afterSaying(over('2026-01-01T11:00:00Z', saying('2026-01-01T12:00:00Z')));
    const later = over('2026-01-01T11:00:05Z', saying('2026-01-01T12:00:05Z'));
    expect(judge(later)).toBe('too-soon');
  });

  test('is said again after ten seconds', async () => {
    const { clock, judge } = afterSaying(saying('a'));
    await clock.advance(9_999);
    expect(judge(saying('a'))).toBe('too-soon');
    await clock.advance(1);
    expect(judge(saying('a'))).toBe('write');
  });

  test('is said of a failure with the next attempt, five seconds later', async () => {
    const { clock, judge } = afterSaying(failed('a'), failed('b'));
    await clock.advance(4_999);
    expect(judge(failed('c'))).toBe('too-soon');
    await clock.advance(1);
    expect(judge(failed('c'))).toBe('write');
  });

  test('is still too soon when others were said before it, and those are long ago', async () => {
    const { clock, say, judge } = afterSaying(failed('a'), failed('b'));
    await clock.advance(9_000);
    say(failed('c'));
    await clock.advance(1_000);
    expect(judge(failed('d'))).toBe('write');
    say(failed('d'));
    expect(judge(failed('e'))).toBe('too-soon');
  });

  test('is known of one Machine as the last eight of it are', () => {
    // Whatever is said of it within ten seconds.
    const { say, judge } = afterSaying();
    for (const text of ['0', '1', '2', '3', '4', '5', '6', '7', '8']) say(saying(text));
    expect([judge(saying('1')), judge(saying('0'))]).toEqual(['too-soon', 'write']);
  });
});

const at = (text: string, version = '7'): WantedStatus => ({ ...saying(text), version });

describe('a status that was not kept', () => {
  test.each<[string, 'no-op' | 'refused', WantedStatus, 'write' | 'in-vain']>([
    ['is not worth another write: the same', 'no-op', at('2026-01-01T00:00:35Z'), 'in-vain'],
    ['is not worth another write: the same at a later time', 'no-op', at('2026-01-01T00:00:56Z'), 'in-vain'],
    [
      'is not worth another write: the same with its fields in another order',
      'no-op',
      { ...at('2026-01-01T00:00:35Z'), over: { reason: 'Deleting', text: 'another one' } },
      'in-vain',
    ],
    ['leaves a write to another one', 'no-op', at('Deleting'), 'write'],
    ['leaves a write to the same of a changed Machine', 'no-op', at('2026-01-01T00:00:35Z', '8'), 'write'],
    ['leaves none to any of the same Machine where it was refused', 'refused', at('Deleting'), 'in-vain'],
    [
      'leaves a write to any of a changed Machine where it was refused',
      'refused',
      at('Deleting', '8'),
      'write',
    ],
  ])('%s', (_what, outcome, wanted, verdict) => {
    const { cache, judge } = afterSaying();
    rememberStatusWrite(cache, 'uid-1', at('2026-01-01T00:00:35Z'), outcome);
    expect(judge(wanted)).toBe(verdict);
    expect(judgeStatusWrite(cache, 'uid-2', wanted)).toBe('write');
  });

  test.each<['no-op' | 'refused', 'write' | 'in-vain']>([
    ['no-op', 'in-vain'],
    ['refused', 'write'],
  ])('as %s is judged so within a minute, and then as %s', async (outcome, later) => {
    const { clock, cache, judge } = afterSaying();
    rememberStatusWrite(cache, 'uid-1', at('a'), outcome);
    await clock.advance(59_999);
    expect(judge(at('a'))).toBe('in-vain');
    await clock.advance(1);
    expect(judge(at('a'))).toBe(later);
  });
});
