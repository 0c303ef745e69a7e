import type { Report } from '../machine/report.ts';
import type { Conclusion } from './decision.ts';

const retrySeconds = 5;

/** A quarter of what has passed, within bounds: more and more slowly. All in seconds. */
export const retryAfter = (lastedSeconds: number, { min, max }: { min: number; max: number }): number =>
  Math.min(max, Math.max(min, Math.floor(lastedSeconds / 4)));

/** What the Machine says of an error that no phase has words for; Cluster API's text unless there is a better one. */
export const internalError = (why: string, message = 'Please check controller logs for errors'): Report => ({
  reason: 'InternalError',
  message,
  error: why,
});

/** Nothing is concluded from what failed or could not be seen: it is said, and tried again. */
export const retrySoon = (report: Report): Conclusion & { kind: 'wait' } => ({
  kind: 'wait',
  until: [],
  report,
  requeueAfterSeconds: retrySeconds,
});

/** No time limit counts while it is unknown whether the phase is to be tried. */
export const undecided = (conclusion: Conclusion): Conclusion =>
  conclusion.kind === 'wait'
    ? { ...conclusion, report: { ...conclusion.report, isUndecided: true } }
    : conclusion;
