import { remember } from './lru-map.ts';
import type { Attempt } from '../phase/attempt.ts';

/** By UID of a Machine: what this instance has made of the phase that a checkpoint of this number is in. */
export class Attempts {
  readonly #tried = new Map<string, number>();
  readonly #undecided = new Map<string, number>();

  note(uid: string, seq: number, attempt: Attempt): void {
    remember(attempt === 'tried' ? this.#tried : this.#undecided, uid, seq);
  }

  /** A phase that was tried was so for good, whatever could not be told after that. */
  of(uid: string, seq: number): Attempt | undefined {
    if (this.#tried.get(uid) === seq) return 'tried';
    return this.#undecided.get(uid) === seq ? 'undecided' : undefined;
  }

  forget(uid: string): void {
    this.#tried.delete(uid);
    this.#undecided.delete(uid);
  }
}
