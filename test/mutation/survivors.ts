import type { Mutant } from './mutant.ts';

/** A change that no test can notice, or that none should, and why. */
export interface Explained {
  file: string;
  /**
   * The line of the source as the report shows it. Or a part of it: the reason then holds for every line with that
   * part.
   */
  line: string;
  from: string;
  to: string;
  because: string;
}

export interface ToldApart {
  explained: Mutant[];
  unexplained: Mutant[];
  /** Explanations of what was tried and noticed, or is not there any more. */
  outdated: Explained[];
}

/** Compares what survived with what is explained; explanations of files that were not mutated are left alone. */
export function tellApart(mutants: readonly Mutant[], explanations: readonly Explained[]): ToldApart {
  const unnoticed = mutants.filter(({ fate }) => fate === 'survived' || fate === 'unreached');
  const files = new Set(mutants.map(({ file }) => file));
  const isExplained = (mutant: Mutant): boolean => explanations.some((each) => explains(each, mutant));
  return {
    explained: unnoticed.filter(isExplained),
    unexplained: unnoticed.filter((mutant) => !isExplained(mutant)),
    outdated: explanations.filter(
      (each) => files.has(each.file) && !unnoticed.some((mutant) => explains(each, mutant)),
    ),
  };
}

const explains = ({ file, line, from, to }: Explained, mutant: Mutant): boolean =>
  file === mutant.file && mutant.line.includes(line) && from === mutant.from && to === mutant.to;
