/**
 * The longest that anybody who speaks for an API server can have us stay away, in seconds. What stands before one may ask
 * for hours, and drains have time limits.
 */
const maxSeconds = 60;

/** What is obeyed of a Retry-After, in seconds; undefined for none, and for what is no time. */
export const believedRetryAfter = (seconds = Number.NaN): number | undefined =>
  seconds >= 0 ? Math.min(seconds, maxSeconds) : undefined;
