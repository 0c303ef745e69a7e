import { dirname } from 'node:path';
import type { Mutant } from './mutant.ts';

export interface Score {
  tried: number;
  noticed: number;
  survived: number;
  unreached: number;
  static: number;
  /** Of a hundred that were tried. Nothing tried is nothing missed. */
  percent: number;
}

export function scoreOf(mutants: readonly Mutant[]): Score {
  const count = (fate: Mutant['fate']): number => mutants.filter((mutant) => mutant.fate === fate).length;
  const tried = mutants.length - count('static');
  return {
    tried,
    noticed: count('noticed'),
    survived: count('survived'),
    unreached: count('unreached'),
    static: count('static'),
    percent: tried === 0 ? 100 : (100 * count('noticed')) / tried,
  };
}

/** In the order of the folders' names. */
export function scorePerFolder(mutants: readonly Mutant[]): [folder: string, score: Score][] {
  const folders = Map.groupBy(mutants, ({ file }) => dirname(file));
  return [...folders]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([folder, its]) => [folder, scoreOf(its)]);
}
