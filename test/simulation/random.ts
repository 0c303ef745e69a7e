import { seeded } from '../stories/stage/conditions.ts';

/** Numbers that are the same in every run with the same seed. */
export interface Random {
  /** In [0, 1). */
  (): number;
  /** A whole number from `least` up to and with `most`. */
  between(least: number, most: number): number;
  /** True in so many of all cases, 0 to 1. */
  chance(share: number): boolean;
  /** Throws where there is none. */
  oneOf<T>(items: readonly T[]): T;
  /** Each of them with this chance, in their order. */
  some<T>(items: readonly T[], share: number): T[];
  /** Numbers for one purpose, from the seed and the label alone. More draws for one label do not change another's. */
  fork(label: string): Random;
}

export function createRandom(seed: number): Random {
  const next = seeded(seed);
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return Object.assign(() => next(), {
    between,
    chance: (share: number) => next() < share,
    oneOf<T>(items: readonly T[]): T {
      const index = Math.floor(next() * items.length);
      // What is chosen may itself be undefined.
      for (const item of items.slice(index, index + 1)) return item;
      throw new Error('there is none to choose');
    },
    some: <T>(items: readonly T[], share: number): T[] => items.filter(() => next() < share),
    fork: (label: string) => createRandom(mixed(seed, label)),
  });
}

/** FNV-1a over the label, begun from the seed. */
function mixed(seed: number, label: string): number {
  let hash = Math.imul(seed ^ 0x811c9dc5, 0x01000193);
  for (let index = 0; index < label.length; index += 1)
    hash = Math.imul(hash ^ label.charCodeAt(index), 0x01000193);
  return hash | 0;
}
