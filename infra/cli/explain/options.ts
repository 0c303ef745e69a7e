import { parseArguments } from '../../terminal/parse-arguments.ts';
import { type ArchivePlaces, archiveOptions, archivePlacesOf } from '../history/options.ts';
import { type LookAtOne, lookAtOneOf, lookOptions } from '../look/options.ts';

/** What `phaseout explain` is asked for, and where the history is. */
export type ExplainOptions = LookAtOne & ArchivePlaces;

export const explainOptions = { ...lookOptions, ...archiveOptions } as const;

/** Throws UsageError. */
export function readExplainOptions(args: readonly string[]): ExplainOptions {
  const read = parseArguments(args, explainOptions);
  const one = lookAtOneOf(args, read, { command: 'explain', otherwise: 'cluster' });
  return { ...archivePlacesOf(read.values), ...one };
}
