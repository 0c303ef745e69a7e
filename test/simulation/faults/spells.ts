import type { Random } from '../random.ts';

/** A time in which something goes wrong. */
export interface Spell {
  /** In milliseconds; undefined where it begins with an occasion that has not come yet. */
  from: number | undefined;
  /** With which occasion it begins, where it does. */
  occasion: number;
  lasts: number;
  /** Of all occasions in it, the share that goes wrong. */
  share: number;
}

/** How something goes wrong: seldom all the time, shortly but often, shortly and each time, or without any break. */
export type Course = 'now and then' | 'in bursts' | 'in full bursts' | 'for long';

export const anyCourse: readonly Course[] = ['now and then', 'in bursts', 'for long'];

/**
 * Answers each occasion with the spell that it falls into, if any. Occasions come in crowds, with long gaps. So half of
 * all spells begin at a time, the others with an occasion.
 */
export function spells(
  random: Random,
  lasts: number,
  courses: readonly Course[],
): (now: number) => Spell | undefined {
  const all = spellsOf(random, lasts, random.oneOf(courses));
  let occasions = 0;
  return (now) => {
    occasions += 1;
    for (const spell of all) if (spell.occasion === occasions) spell.from ??= now;
    return all.find(({ from, lasts: long }) => from !== undefined && from <= now && now < from + long);
  };
}

function spellsOf(random: Random, lasts: number, course: Course): Spell[] {
  const occasion = (): number => random.between(1, random.oneOf([3, 15, 60]));
  if (course === 'now and then') {
    const once = { from: undefined, occasion: occasion(), lasts: 1, share: 1 };
    return [once, { from: 0, occasion: 0, lasts, share: random.oneOf([0.01, 0.03, 0.1, 0.3]) }];
  }
  const isLong = course === 'for long';
  return Array.from({ length: isLong ? 1 : random.between(1, 5) }, () => ({
    from: random.chance(0.5) ? random.between(0, Math.floor(lasts / 2)) : undefined,
    occasion: occasion(),
    lasts: isLong ? random.between(Math.floor(lasts / 4), lasts) : random.between(100, 15_000),
    share: course === 'in bursts' ? random.oneOf([0.3, 0.7, 1]) : 1,
  }));
}
