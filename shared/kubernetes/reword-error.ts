import { Unavailable } from './errors.ts';

/** The same failure in other words; how long the API asked us to stay away goes with it. */
export function reworded(error: Unavailable, reword: (why: string) => string): Unavailable {
  const { message, statusText, retryAfterSeconds } = error;
  const later = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new Unavailable(reword(message), { cause: error, statusText: reword(statusText), ...later });
}
