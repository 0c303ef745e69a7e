import type { Conclusion } from '../decision.ts';
import { isStartTold, type Turn } from './turn.ts';

/** What a look may take without its time limit losing by it. */
const lookMilliseconds = 1_000;

/**
 * Whether a time limit would end a phase nobody has tried yet. Its start was made up by this very step and stands
 * nowhere; an instance that stood still since would count that time.
 */
export function endsUnbegun({ env, arrived }: Turn, decision: Conclusion): boolean {
  const { subject, isSaved } = arrived;
  if (isSaved || decision.kind !== 'advance' || decision.passing !== 'timed-out') return false;
  if (isStartTold(subject)) return false;
  const age = env.clock.now() - Date.parse(subject.checkpoint.since);
  // Below zero the clock was set back meanwhile, and nobody knows how old it is.
  return age < 0 || age > lookMilliseconds;
}
