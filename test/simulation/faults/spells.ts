import type { Random } from '../random.ts';
import type { FaultSetting } from './fault.ts';
import { isCheckpoint, isOfInstance } from './instances/effects.ts';

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

/** How something goes wrong: seldom all the time, shortly but often, or without any break. */
export type Course = 'now and then' | 'in bursts' | 'for long';

export const anyCourse: readonly Course[] = ['now and then', 'in bursts', 'for long'];

/**
 * Asked at each occasion to go wrong; answers with the spell that it falls into, if it does. Much happens in little
 * time and then nothing for long: half of all spells therefore begin at a time, the others with an occasion.
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
    share: isLong ? 1 : random.oneOf([0.3, 0.7, 1]),
  }));
}

/**
 * Up to so many times before the calm: at any time, right when an instance asks for something, or right after one has
 * recorded where a deletion stands, so that each phase has its share however short it is.
 */
export function atMoments({ world, random, lasts }: FaultSetting, most: number, act: () => void): void {
  const requests = new Set<number>();
  const records = new Set<number>();
  const afterRecord = random.fork('after a record');
  const calm = world.now() + lasts;
  for (let count = random.between(1, most); count > 0; count -= 1)
    if (random.chance(0.5)) world.scheduler.after(random.between(0, lasts - 1), act);
    else if (afterRecord.chance(0.5)) records.add(afterRecord.between(1, afterRecord.oneOf([5, 12])));
    else requests.add(random.between(1, random.oneOf([10, 40, 160])));
  let [asked, recorded] = [0, 0];
  world.meddlers.onRequest((exchange) => {
    if (!isOfInstance(exchange)) return undefined;
    asked += 1;
    if (requests.has(asked)) world.scheduler.after(0, act);
    if (!isCheckpoint(exchange)) return undefined;
    recorded += 1;
    if (!records.has(recorded)) return undefined;
    const milliseconds = Math.min(afterRecord.between(0, 500), calm - world.now());
    world.scheduler.after(milliseconds, act);
    return undefined;
  });
}
