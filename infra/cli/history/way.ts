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
