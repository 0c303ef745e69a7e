import type { core } from 'zod';

/** What an issue says; of a key that is refused, why it is. */
export const issueMessage = (issue: core.$ZodIssue): string =>
  issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
