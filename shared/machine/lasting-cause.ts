import type { RefusalCause } from '../kubernetes/client.ts';
import type { Instant } from '../time/clock.ts';

/** Why evictions of a Pod are refused, and since when without a break. */
export interface LastingCause {
  cause: RefusalCause;
  since: Instant;
}

/** A refusal, as it bears on that. */
interface RefusedNow {
  cause: RefusalCause;
  at: Instant;
  /** Whether the budget was seen to allow a disruption before this eviction was tried. */
  wasFree: boolean;
}

/** They say nothing of what keeps the Pod: an answer for a moment, or none. */
const passing: readonly RefusalCause[] = ['BudgetNotObserved', 'Throttled', 'NotAttempted', 'Failed'];

/** One budget goes from one to the other as its Pods come and go. */
const ofOneBudget: readonly RefusalCause[] = ['BudgetNeverAllows', 'BudgetExhausted'];

/**
 * The cause after one more refusal. Another cause counts from now. One that only goes from exhausted to never, or back,
 * does so if its budget allowed a disruption in between.
 */
export function lastingAfter(
  known: LastingCause | undefined,
  { cause, at, wasFree }: RefusedNow,
): LastingCause | undefined {
  if (passing.includes(cause)) return known;
  if (known === undefined) return { cause, since: at };
  if (known.cause === cause) return known;
  const isSame = !wasFree && ofOneBudget.includes(cause) && ofOneBudget.includes(known.cause);
  return { cause, since: isSame ? known.since : at };
}
