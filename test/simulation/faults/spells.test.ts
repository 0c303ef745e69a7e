import { describe, expect, it, test } from 'vitest';
import { createRandom } from '../random.ts';
import { anyCourse, type Course, spells } from './spells.ts';

const lasts = 60_000;

/** At which of many occasions, one each 100 ms, it may go wrong, and with which share. */
function struck(seed: number, course: Course): { at: number; share: number }[] {
  const spellAt = spells(createRandom(seed), lasts, [course]);
  const occasions = Array.from({ length: lasts / 100 }, (_, index) => index * 100);
  return occasions.flatMap((at) => {
    const spell = spellAt(at);
    return spell === undefined ? [] : [{ at, share: spell.share }];
  });
}

const seeds = Array.from({ length: 50 }, (_, seed) => seed);

describe('something goes wrong', () => {
  test.each(anyCourse)('%s: once for certain, wherever there are sixty occasions', (course) => {
    for (const seed of seeds) expect(struck(seed, course)).not.toEqual([]);
  });

  it('in the same way with the same seed', () => {
    for (const course of anyCourse) expect(struck(3, course)).toEqual(struck(3, course));
  });

  it('now and then: any time, and only once for certain', () => {
    for (const seed of seeds) {
      const all = struck(seed, 'now and then');
      expect(all).toHaveLength(lasts / 100);
      expect(all.filter(({ share }) => share === 1)).toHaveLength(1);
    }
  });

  it('in bursts: often, and not for most of the time', () => {
    const all = seeds.flatMap((seed) => struck(seed, 'in bursts'));
    expect(all.every(({ share }) => share >= 0.3)).toBe(true);
    expect(all.length).toBeLessThan((seeds.length * lasts) / 100 / 2);
  });

  it('in full bursts: each time, and not for most of the time', () => {
    const all = seeds.flatMap((seed) => struck(seed, 'in full bursts'));
    expect(all.every(({ share }) => share === 1)).toBe(true);
    expect(all.length).toBeLessThan((seeds.length * lasts) / 100 / 2);
  });

  it('for long: without a break, for a quarter of the time or more, or until it is over', () => {
    for (const seed of seeds) {
      const times = struck(seed, 'for long').map(({ at }) => at);
      const [first = 0, last = 0] = [times[0], times.at(-1)];
      expect(times).toHaveLength((last - first) / 100 + 1);
      expect(last === lasts - 100 || last - first >= lasts / 4 - 100).toBe(true);
    }
  });
});
