import type { Result } from './report.ts';

/** 0 when every story that could be told came out well; with `strict` one that could not be told counts, too. */
export function exitCodeOf(results: readonly Result[], { strict }: { strict: boolean }): number {
  const isBad = ({ outcome }: Result): boolean =>
    outcome.kind === 'failed' || (strict && outcome.kind === 'not run');
  return results.some(isBad) ? 1 : 0;
}
