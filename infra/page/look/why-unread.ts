/** `not read: history: the store does not answer`. */
export const whyUnread = (what: string, error: unknown): string =>
  `not read: ${what}: ${error instanceof Error ? error.message : String(error)}`;
