const firstPauseMilliseconds = 100;
const longestPauseMilliseconds = 10_000;

/** After the first attempt; with their pauses about three seconds, as Knative's own sources take. */
export const maxRetries = 5;

/** Statuses of a sink that may be another in a moment. Every other is its last word. */
export function isRetryable(status: number): boolean {
  // 404: the route is not there yet; 408, 425, 429: asked for by name; 409: Knative's own choice.
  if ([404, 408, 409, 425, 429].includes(status)) return true;
  // 500 among them: it is what the broker's ingress says when a subscriber failed.
  return status >= 500;
}

/**
 * The pause before a retry (counted from 0) in milliseconds: doubled each time, spread by half so that many senders
 * do not come back at once, and no shorter than the sink asked for.
 */
export function pauseMilliseconds(retry: number, random: () => number, retryAfterSeconds = 0): number {
  const spread = firstPauseMilliseconds * 2 ** retry * (0.5 + random());
  return Math.min(longestPauseMilliseconds, Math.max(spread, retryAfterSeconds * 1_000));
}
