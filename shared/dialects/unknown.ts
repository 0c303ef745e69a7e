import { type Unavailable, Undetermined } from '../kubernetes/errors.ts';
import type { Unknown } from './gate.ts';

/** What is known of an object that could not be read, and for how long the API wants to be left alone. */
export const unknownBy = ({ message, said: why, retryAfterSeconds }: Unavailable): Unknown => ({
  kind: 'unknown',
  why,
  ...(message !== why && { detail: message }),
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
});

/** Nothing can be decided without that object; `before` stands before what was the matter with it. */
export const undecidable = (
  before: string,
  { why, detail = why, retryAfterSeconds }: Unknown,
): Undetermined => new Undetermined(`${before}: ${detail}`, { said: `${before}: ${why}`, retryAfterSeconds });
