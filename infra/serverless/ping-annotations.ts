/** The two schedules of a PingSource that rests while nothing is being deleted; the functions set one or the other. */
export const whileDeletingAnnotation = 'phaseout.dev/schedule-while-deleting';
export const atRestAnnotation = 'phaseout.dev/schedule-at-rest';
