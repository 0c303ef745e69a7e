import type { Unknown } from './dialect.ts';
import { type CouldNotLook, Undecided } from '../kubernetes/errors.ts';

/** What is known of an object that could not be read, and for how long the API wants to be left alone. */
export const unknownBy = ({ message, said: why, retryAfterSeconds }: CouldNotLook): Unknown => ({
  kind: 'unknown',
  why,
  ...(message !== why && { detail: message }),
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
});

/** Nothing can be decided without that object; `before` stands before what was the matter with it. */
export const undecidable = (before: string, { why, detail = why, retryAfterSeconds }: Unknown): Undecided =>
  new Undecided(`${before}: ${detail}`, { said: `${before}: ${why}`, retryAfterSeconds });
