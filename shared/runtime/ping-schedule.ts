/**
 * The frequent tick that asks for what is due. With nothing to ask for it would only keep an instance up for ever, so
 * it rests while nothing is being deleted; the rare tick that lists everything goes on. Neither rejects: a tick that
 * could not be set costs time, not a deletion.
 */
export interface Ticks {
  /** Something is being deleted, or is to be looked at. */
  start(): Promise<void>;
  /** All has been listed, and nothing is. */
  rest(): Promise<void>;
}

/** For a tick that cannot be set: on the local platform it never rests. */
export const noTicks: Ticks = {
  start: () => Promise.resolve(),
  rest: () => Promise.resolve(),
};

/** The two schedules of a PingSource that rests while nothing is being deleted; the functions set one or the other. */
export const whileDeletingAnnotation = 'phaseout.dev/schedule-while-deleting';

/** The schedule of a PingSource while nothing is being deleted. */
export const atRestAnnotation = 'phaseout.dev/schedule-at-rest';
