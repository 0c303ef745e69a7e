import { CouldNotLook } from './errors.ts';

/** The same failure in other words; how long the API asked us to stay away goes with it. */
export function retold(error: CouldNotLook, reword: (why: string) => string): CouldNotLook {
  const { message, said, retryAfterSeconds } = error;
  const later = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new CouldNotLook(reword(message), { cause: error, said: reword(said), ...later });
}
