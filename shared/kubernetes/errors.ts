/** What Cluster API says where there is no way to a workload cluster. */
export const noClient = 'error getting client: connection to the workload cluster is down';

/**
 * The API could not be asked, or gave no usable answer. Conclude nothing from it, least of all that something is absent. The
 * caller retries later.
 */
export class Unavailable extends Error {
  /** Seconds the API asked us to stay away, if it did. */
  readonly retryAfterSeconds: number | undefined;
  readonly #statusText: string;

  constructor(message: string, { cause, retryAfterSeconds, statusText = message }: LookFailure = {}) {
    super(message, { cause });
    this.name = 'Unavailable';
    this.retryAfterSeconds = retryAfterSeconds;
    this.#statusText = statusText;
  }

  /**
   * What a Machine and its Events say of it, in the API's own words. The message is for the log and the history: it has
   * verb, path, host and code as well.
   */
  get statusText(): string {
    return this.#statusText;
  }
}

interface LookFailure {
  cause?: unknown;
  retryAfterSeconds?: number | undefined;
  statusText?: string;
}

/** There are no usable credentials for the cluster: no other look will find any until somebody provides them. */
export class NoCredentials extends Unavailable {
  constructor(message: string) {
    super(message, { statusText: `${noClient}: ${message}` });
    this.name = 'NoCredentials';
  }
}

/** We have no right to read it: no other look will, until somebody grants it. */
export class Forbidden extends Unavailable {
  override readonly name: string = 'Forbidden';
}

/** We cannot tell whether the phase applies, so its time limit does not start. */
export class Undetermined extends Unavailable {
  override readonly name: string = 'Undetermined';
}

/**
 * A read that failed for a cause that asking again does not change. The step goes on, and what depends on it is unknown. The
 * message is for people and says what was not read, and why.
 */
export class Unread extends Unavailable {
  override readonly name: string = 'Unread';
}

/** The Unread that an error is, or that it comes from; undefined for all other errors. */
export function unreadIn(error: unknown): Unread | undefined {
  if (error instanceof Unread) return error;
  return error instanceof Error && error.cause !== undefined ? unreadIn(error.cause) : undefined;
}

/**
 * The longest that anybody who speaks for an API server can have us stay away, in seconds. What stands before one may ask
 * for hours, and drains have time limits.
 */
const maxSeconds = 60;

/** What is obeyed of a Retry-After, in seconds; undefined for none, and for what is no time. */
export const believedRetryAfter = (seconds = Number.NaN): number | undefined =>
  seconds >= 0 ? Math.min(seconds, maxSeconds) : undefined;

/** What a read says, or `otherwise` where it failed: for what holds whatever the read would have said. */
export async function readOr<T, U = T>(otherwise: U, look: () => Promise<T>): Promise<T | U> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Unavailable) return otherwise;
    throw error;
  }
}

/** The same failure in other words; how long the API asked us to stay away goes with it. */
export function reworded(error: Unavailable, reword: (why: string) => string): Unavailable {
  const { message, statusText, retryAfterSeconds } = error;
  const later = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new Unavailable(reword(message), { cause: error, statusText: reword(statusText), ...later });
}
