import type { Conclusion, Decision } from '../phase/decision.ts';
import { guard } from '../phase/guard.ts';
import { isPutOffForLong, isTryTold } from '../phase/untried.ts';
import { beginNow } from './time-limit.ts';
import { hasTried, noteTry } from '../read/tries.ts';
import type { Step } from './step.ts';
import { isStartTold, saveFirst } from './begin.ts';

/** What a look may take without its time limit losing by it. */
const lookMilliseconds = 1_000;

/**
 * Whether a time limit would end a phase nobody has tried yet: an instance that stood still in its first look, or right
 * before it, would count that time. And whoever has written that the first try begins may have got no further, or may
 * still be about it: then no status tells of it.
 */
export function endsUnbegun({ env, arrived }: Step, decision: Conclusion): boolean {
  if (decision.kind !== 'advance' || decision.passing !== 'timed-out') return false;
  const { subject, isSaved, isFirstTry = false } = arrived;
  if (isSaved && !isFirstTry) return !isTryTold(subject) && !hasTried(env, subject);
  if (!isSaved && isStartTold(subject)) return false;
  // Its start was made up by this very step.
  const age = env.clock.now() - Date.parse(subject.checkpoint.since);
  // Below zero the clock was set back meanwhile, and nobody knows how old it is.
  return age < 0 || age > lookMilliseconds;
}

/**
 * Whether this is the first try of a phase for which somebody has found before that nobody can tell whether it is to be
 * done: that time is no part of its limit.
 */
export const beginsLate = (step: Step, decision: Decision): boolean =>
  isTry(decision) && step.lastReport === undefined && step.arrived.isSaved && isLateFor(step);

const isLateFor = ({ env, arrived: { subject }, snapshot }: Step): boolean =>
  guard(subject) === undefined &&
  isPutOffForLong(subject, env.clock.now(), snapshot.attempt(subject.checkpoint.seq));

/** Its limit counts from now. The step has to start over; where that takes long it is the first try all the same. */
export async function beginLate(step: Step): Promise<void> {
  if (await beginNow(step)) noteTry(step.env, step.arrived.subject);
}

const isTry = (decision: Decision): boolean =>
  decision.kind === 'act' || (decision.kind === 'wait' && decision.report.isUndecided !== true);

/**
 * It begins now. Whether or not that could be written down, the step has to start over. What failed, or was done in vain, by
 * then was a try: an API that takes longer to fail, or to refuse it, than the limit lasts would otherwise have it begin
 * again for ever.
 */
export async function beginOver(step: Step): Promise<void> {
  if (step.hasFailed === true || step.lastReport !== undefined) noteTry(step.env, step.arrived.subject);
  if (step.arrived.isSaved) await beginNow(step);
  else await saveFirst(step);
}
