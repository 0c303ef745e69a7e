import type { Archive } from '../../../shared/store/clue.ts';
import type { Store } from '../../../shared/store/port.ts';

/** A store that is open to be read, under the name that a person knows. */
export interface OpenArchive {
  archive: Archive & Pick<Store, 'due'>;
  where: string;
}

/** One of the ways to a store. */
export interface Way {
  name: string;
  /** Opens it for as long as `closing` is. Throws NotOpen, Unavailable, UsageError. */
  open(closing: AsyncDisposableStack): Promise<OpenArchive>;
}

/** What a way lacks. */
export class NotOpen extends Error {
  override readonly name = 'NotOpen';
}

/** How long an answer may take. */
export interface Patience {
  requestTimeout: number;
  timeoutMilliseconds: number;
}

/** A person can wait for a sign-on, and for a page of a megabyte over a slow line. The functions cannot. */
export const patient: Patience = { requestTimeout: 10_000, timeoutMilliseconds: 30_000 };

/** Where the answer is about something else, and is held up. */
export const brief: Patience = { requestTimeout: 4_000, timeoutMilliseconds: 8_000 };
