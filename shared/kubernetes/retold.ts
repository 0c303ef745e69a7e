import { CouldNotLook } from './port.ts';

/** The same failure in other words; how long the API asked us to stay away goes with it. */
export function retold(error: CouldNotLook, message: string): CouldNotLook {
  const { retryAfterSeconds } = error;
  const later = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new CouldNotLook(message, { cause: error, ...later });
}
