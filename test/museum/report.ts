import type { Exhibit } from './exhibit.ts';
import type { Verdict } from './verdict.ts';

const shownTests = 3;

/** One line for each exhibit: what was planted, and which tests noticed. */
export function visitLine(exhibit: Exhibit, verdict: Verdict): string {
  const head = headOf(exhibit);
  if (verdict.kind === 'missed') return `MISSED ${head}: no test of ${exhibit.tests.join(', ')} failed`;
  if (verdict.kind === 'broken') return `BROKEN ${head}: the code does not run with it (${verdict.why})`;
  const { by } = verdict;
  const more = by.length > shownTests ? ` and ${by.length - shownTests} more` : '';
  return `caught ${head}: ${by.slice(0, shownTests).join(' | ')}${more}`;
}

export const listLine = (exhibit: Exhibit): string =>
  `${headOf(exhibit)} in ${exhibit.file}: ${exhibit.mistake}`;

const headOf = ({ number, from }: Exhibit): string => `${String(number).padStart(2)} ${from}`;

export function summary(verdicts: readonly Verdict[], seconds: number): string {
  const caught = verdicts.filter(({ kind }) => kind === 'caught').length;
  return `caught ${caught} of ${verdicts.length} in ${seconds.toFixed(0)} s`;
}
