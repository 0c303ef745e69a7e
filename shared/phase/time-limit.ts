import { limitSecondsOf } from '../machine/machine.ts';
import type { Report } from '../machine/report.ts';
import { attemptStart, beginningAt, isAhead, presentAt } from '../machine/timestamps.ts';
import type { Instant } from '../time/clock.ts';
import type { Conclusion } from './decision.ts';
import { phaseStart, type Subject, sinceDeletion } from './definition.ts';

type PhaseInput = Pick<Subject, 'machine' | 'dialect' | 'checkpoint'>;

/**
 * When the time limit of the checkpoint's phase started: with its first attempt that had to wait. Cluster API does so
 * with `nodeDrainStartTime`. Undefined before that: a hook, a pause or a lost command takes nothing of it. The
 * checkpoint has it beside `reached`, or the status of the Machine shows it. Nothing of a deletion starts before the
 * deletion.
 */
export function limitStart({ machine, dialect, checkpoint }: PhaseInput): Instant | undefined {
  const { phase, since, reached } = checkpoint;
  const shown = reached === undefined ? dialect.startTimes(machine)[phase] : since;
  if (shown === undefined) return undefined;
  return sinceDeletion(machine, Math.max(Date.parse(shown), Date.parse(since)));
}

/** When the time limit started, or would start if the attempt that runs now has to wait. */
export function startOrNow(standing: PhaseInput, now: Instant): Instant {
  const { machine, checkpoint } = standing;
  const start = limitStart(standing);
  // The next status takes the checkpoint's time, if a clock that was ahead has written this one.
  if (start !== undefined && !isAhead(start, presentAt(machine, now))) return start;
  return sinceDeletion(machine, attemptStart(checkpoint, beginningAt(machine, now)));
}

/**
 * The start of a phase that the status of the Machine shows, or will show. If we write no starts into the status,
 * this is the phase's own start. A start that moves would make each look a write.
 */
export const shownStart = (standing: PhaseInput, now: Instant): Instant =>
  standing.dialect.showsProgress && standing.dialect.beside === undefined
    ? startOrNow(standing, now)
    : phaseStart(standing);

/** When the time limit of the checkpoint's phase ends, if it starts no later than now. Empty if it has none. */
export function deadlineOf(phase: 'drain' | 'volume-detach', subject: Subject, now: Instant): Instant[] {
  const seconds = limitSecondsOf(phase, subject.machine);
  return seconds > 0 ? [startOrNow(subject, now) + seconds * 1_000] : [];
}

/** Whole seconds to the first of these, and no more than `most`; at least one. */
export const secondsToFirst = (ends: readonly Instant[], now: Instant, most: number): number =>
  Math.min(most, ...ends.map((end) => Math.max(1, Math.ceil((end - now) / 1_000))));

/** Seconds to the next attempt after a failure: at most `most`, and never past a running time limit. */
export const secondsToRetry = (
  phase: 'drain' | 'volume-detach',
  subject: Subject,
  now: Instant,
  most: number,
): number =>
  secondsToFirst(
    deadlineOf(phase, subject, now).filter((end) => end > now),
    now,
    most,
  );

const retrySeconds = 5;

/** A quarter of what has passed, within bounds: more and more slowly. All in seconds. */
export const retryAfter = (lastedSeconds: number, { min, max }: { min: number; max: number }): number =>
  Math.min(max, Math.max(min, Math.floor(lastedSeconds / 4)));

/** The report of an error that no phase has words for. It has Cluster API's text unless there is a better one. */
export const internalError = (why: string, message = 'Please check controller logs for errors'): Report => ({
  reason: 'InternalError',
  message,
  error: why,
});

/** Concludes nothing from a failure, or from a failed read. Reports it, and tries again. */
export const retrySoon = (report: Report): Conclusion & { kind: 'wait' } => ({
  kind: 'wait',
  until: [],
  report,
  requeueAfterSeconds: retrySeconds,
});

/** No time limit runs while it is unknown whether the phase applies. */
export const undecided = (conclusion: Conclusion): Conclusion =>
  conclusion.kind === 'wait'
    ? { ...conclusion, report: { ...conclusion.report, isUndecided: true } }
    : conclusion;
