/**
 * The frequent tick that asks for what is due. With nothing to ask for it would only keep an instance up for ever. So
 * it rests while nothing is being deleted; the rare tick that lists everything goes on. Neither method rejects: a
 * tick that could not be set costs time, not a deletion.
 */
export interface Ticks {
  /** A Machine is in deletion, or due for a look. */
  start(): Promise<void>;
  /** A full list shows no Machine in deletion. */
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
