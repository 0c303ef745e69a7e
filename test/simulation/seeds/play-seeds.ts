import { expect, test } from 'vitest';
import { replayOf } from '../command/tell-many.ts';
import type { Beside } from '../scenario/draw/beside.ts';
import { simulate } from '../simulate.ts';

/** So many tests share the seeds, so that one that fails is named at once. */
const seedsEach = 25;

/** Plays seeds `first`, `first + 2`, … so many in all: odd and even ones are played beside one another. */
export function playEveryOther(first: number, count: number, beside?: Beside): void {
  for (let done = 0; done < count; done += seedsEach) {
    const length = Math.min(seedsEach, count - done);
    const seeds = Array.from({ length }, (_, index) => first + 2 * (done + index));
    test(`nothing is violated in every other seed from ${seeds[0]} to ${seeds.at(-1)}`, {
      timeout: 120_000,
    }, async () => {
      expect(await violationsOf(seeds, beside)).toStrictEqual([]);
    });
  }
}

/** With the command that tells the story. */
async function violationsOf(seeds: readonly number[], beside: Beside = 'some'): Promise<string[]> {
  const found: string[] = [];
  for (const seed of seeds) {
    const { violations } = await simulate(seed, { beside });
    for (const what of violations.slice(0, 1))
      found.push(`${replayOf(seed, { only: undefined, without: [], beside })} # ${what}`);
  }
  return found;
}
