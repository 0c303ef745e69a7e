import { Unavailable, Undetermined } from '../kubernetes/errors.ts';
import type { Conclusion } from '../phase/decision.ts';
import type { AnyPhase } from '../phase/definition.ts';
import { internalError, undecided } from '../phase/retry.ts';
import type { Instant } from '../time/clock.ts';
import type { Step } from './step.ts';

/** What the phase makes of something that could not be read or done; rethrows what is a mistake of ours. */
export function unavailable(step: Step, phase: AnyPhase, error: unknown): Conclusion {
  if (!(error instanceof Unavailable)) throw error;
  const { env, arrived } = step;
  const isUndecided = error instanceof Undetermined;
  const failed = inGeneral(
    step,
    phase.onUnavailable(arrived.subject, error.statusText, env.clock.now()),
    error,
  );
  const decision = detailed(isUndecided ? undecided(failed) : failed, error);
  const { retryAfterSeconds } = error;
  if (decision.kind !== 'wait' || retryAfterSeconds === undefined) return decision;
  return leftAlone(decision, retryAfterSeconds, env.clock.now());
}

/** That the Node could not be searched for is said alike in all phases, as what every step has to know first. */
function inGeneral({ arrived }: Step, failed: Conclusion, error: Unavailable): Conclusion {
  const { nodeSearch } = arrived.subject;
  const isUnread = nodeSearch?.kind === 'unread' && [error, error.cause].includes(nodeSearch.why);
  if (failed.kind !== 'wait' || !isUnread) return failed;
  return { ...failed, report: internalError(error.statusText, error.statusText), events: [] };
}

const detailed = (decision: Conclusion, { message: detail, statusText }: Unavailable): Conclusion =>
  decision.kind === 'wait' && detail !== statusText
    ? { ...decision, report: { ...decision.report, detail } }
    : decision;

/** The wait lasts as long as the API asks for, also where a wake-up would come sooner. */
function leftAlone(wait: Conclusion & { kind: 'wait' }, seconds: number, now: Instant): Conclusion {
  const least = now + seconds * 1_000;
  const until = wait.until.map((ending) =>
    ending.kind === 'time' ? { ...ending, at: Math.max(ending.at, least) } : ending,
  );
  return { ...wait, until, requeueAfterSeconds: Math.max(wait.requeueAfterSeconds, seconds) };
}
