import type { Result } from './report.ts';

/** 0 if no story failed. With `strict` a story that could not run counts as a failure, too. */
export function exitCodeOf(results: readonly Result[], { strict }: { strict: boolean }): number {
  const isBad = ({ outcome }: Result): boolean =>
    outcome.kind === 'failed' || (strict && outcome.kind === 'not run');
  return results.some(isBad) ? 1 : 0;
}
