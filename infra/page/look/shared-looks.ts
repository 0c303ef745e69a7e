import type { Clock, Stopwatch } from '../../../shared/time/clock.ts';
import type { Reader } from './readers.ts';

interface Asked<T> {
  look: () => Promise<T>;
  readers: Set<Reader<T>>;
}

/** Who asks so soon after a look gets what it found. */
const restMilliseconds = 10_000;

/**
 * Looks that cost much: each is made when it is asked for, and one after the other. Who asks for one that waits, is under way
 * or was made just now shares it.
 */
export class SharedLooks<T> {
  readonly #clock: Pick<Clock, 'stopwatch'>;
  readonly #asked = new Map<string, Asked<T>>();
  #last: { key: string; found: T; age: Stopwatch } | undefined;
  #isLooking = false;

  constructor(clock: Pick<Clock, 'stopwatch'>) {
    this.#clock = clock;
  }

  /** Reads what one look finds; returns the way to end that. `look` does not fail. */
  read(key: string, look: () => Promise<T>, reader: Reader<T>): () => void {
    if (this.#last?.key === key && this.#last.age() < restMilliseconds) {
      reader(this.#last.found);
      return () => undefined;
    }
    const asked = this.#asked.get(key) ?? { look, readers: new Set() };
    this.#asked.set(key, asked);
    asked.readers.add(reader);
    void this.#lookAtAll();
    return () => void asked.readers.delete(reader);
  }

  async #lookAtAll(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      // What is asked for meanwhile comes at the end.
      for (const [key, asked] of this.#asked) {
        if (asked.readers.size > 0) await this.#look(key, asked);
        this.#asked.delete(key);
      }
    } finally {
      this.#isLooking = false;
    }
  }

  async #look(key: string, { look, readers }: Asked<T>): Promise<void> {
    const found = await look();
    this.#last = { key, found, age: this.#clock.stopwatch() };
    for (const reader of readers) reader(found);
  }
}
