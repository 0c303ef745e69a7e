/** The command line cannot be followed. The message says what is wrong with it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What was asked for cannot be done, though it was asked for properly. The message is for the user. */
export class CannotDo extends Error {
  override readonly name = 'CannotDo';
}
