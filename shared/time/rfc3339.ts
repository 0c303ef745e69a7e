import type { Instant } from './clock.ts';

/** The form Kubernetes gives times: whole seconds (the fraction is cut), UTC, `Z`. */
export const rfc3339Seconds = (instant: Instant): string =>
  `${new Date(instant).toISOString().slice(0, 19)}Z`;

/** As a Lease has times: with six digits of a second's fraction. */
export const microTime = (now: Instant): string => new Date(now).toISOString().replace('Z', '000Z');
