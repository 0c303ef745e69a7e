import type { Instant } from '../time/clock.ts';
import { limitSecondsOf } from '../machine/machine.ts';
import { phaseStart, type Subject } from './definition.ts';

/** When the time of a phase is over that the checkpoint is in; nothing where it has no limit. */
export function deadlineOf(phase: 'drain' | 'volume-detach', subject: Subject): Instant[] {
  const seconds = limitSecondsOf(phase, subject.machine);
  return seconds > 0 ? [phaseStart(subject) + seconds * 1_000] : [];
}

/** Whole seconds to the first of these, and no more than `most`; at least one. */
export const secondsToFirst = (ends: readonly Instant[], now: Instant, most: number): number =>
  Math.min(most, ...ends.map((end) => Math.max(1, Math.ceil((end - now) / 1_000))));

/** After a failure, too, a phase ends when its time is over; one whose time is over is not looked at more often. */
export const secondsToRetry = (
  phase: 'drain' | 'volume-detach',
  subject: Subject,
  now: Instant,
  most: number,
): number =>
  secondsToFirst(
    deadlineOf(phase, subject).filter((end) => end > now),
    now,
    most,
  );
