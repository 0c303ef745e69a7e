import type { Cause } from '../explanation.ts';

/**
 * What becomes of a Machine that is deleted now, alone. `held`: somebody has to act. `waits`: it goes on by itself, later.
 * `unknown`: what decides was not read.
 */
export type Verdict = 'held' | 'unknown' | 'waits' | 'goes';

/** The worst first. What is known to hold a Machine does so whatever else was not read. */
export const verdicts: readonly Verdict[] = ['held', 'unknown', 'waits', 'goes'];

/** What a cause means for a Machine; `goes` for what any deletion meets, and ends itself. */
export function verdictOf({
  kind,
  code,
  endsByItself,
}: Pick<Cause, 'kind' | 'code' | 'endsByItself'>): Verdict {
  if (kind === 'unread' || code === 'Unknown') return 'unknown';
  if (endsByItself !== 'yes') return 'held';
  return isCourse(kind, code) ? 'goes' : 'waits';
}

const ofAnyDeletion: readonly Cause['kind'][] = [
  'volume',
  'node',
  'pod',
  'infrastructure',
  'bootstrap',
  'carrier',
];

/** Pods stop and volumes come off: that is the deletion itself. A Pod that has to complete is not. */
const isCourse = (kind: Cause['kind'], code: string | undefined): boolean =>
  ofAnyDeletion.includes(kind) && code !== 'WaitCompleted';

/** The worst of several; `goes` where there is none. */
export const worstOf = (those: readonly Verdict[]): Verdict =>
  verdicts.find((verdict) => those.includes(verdict)) ?? 'goes';
