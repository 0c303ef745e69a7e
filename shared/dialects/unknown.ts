import { type Unavailable, Undetermined, unreadIn } from '../kubernetes/errors.ts';
import type { Unknown } from './gate.ts';

/** What is known of an object that could not be read, and for how long the API wants to be left alone. */
export function unknownBy(error: Unavailable): Unknown {
  const { message, statusText: why, retryAfterSeconds } = error;
  const cause = unreadIn(error);
  return {
    kind: 'unknown',
    why,
    ...(message !== why && { detail: message }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(cause !== undefined && { cause }),
  };
}

/** Nothing can be decided without that object; `before` stands before what was the matter with it. */
export const undecidable = (
  before: string,
  { why, detail = why, retryAfterSeconds, cause }: Unknown,
): Undetermined =>
  new Undetermined(`${before}: ${detail}`, { statusText: `${before}: ${why}`, retryAfterSeconds, cause });
