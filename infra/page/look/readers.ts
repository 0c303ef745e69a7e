import type { Clock, Instant } from '../../../shared/time/clock.ts';

/** Takes what a look has found. */
export type Reader<T> = (found: T) => void;

/** One view, as several may read it at the same time. */
interface Watched<T> {
  readers: Set<Reader<T>>;
  look: () => Promise<T>;
  lookedAt: Instant;
  /** What it shows may have changed since then. */
  isStale: boolean;
  last?: T;
}

export interface ReadersOptions {
  clock: Clock;
  /** The first reader has come: what all views stand on may start. */
  begin: () => void;
  /** The last one has gone. */
  end: () => void;
}

const never = Number.NEGATIVE_INFINITY;
const betweenLooks = 1_000;
/** What no watch tells of, Pods that go for instance, is seen so late at most. */
const atLatest = 5_000;

/** A view that changes all the time takes its turn with the others. */
const dueAt = ({ lookedAt, isStale }: Pick<Watched<unknown>, 'lookedAt' | 'isStale'>): Instant =>
  lookedAt + (isStale ? betweenLooks : atLatest);

/**
 * Those who read a page. For any number of readers and views there is one look a second at most. Without a reader there
 * is none.
 */
export class Readers<T> {
  readonly #options: ReadersOptions;
  readonly #views = new Map<string, Watched<T>>();
  #cancel: (() => void) | undefined;
  #isLooking = false;
  #lookedAt = never;

  constructor(options: ReadersOptions) {
    this.#options = options;
  }

  /** Reads a view from now on; returns the way to end that. */
  read(key: string, look: () => Promise<T>, reader: Reader<T>): () => void {
    if (this.#views.size === 0) this.#options.begin();
    const view = this.#views.get(key) ?? { readers: new Set(), look, lookedAt: never, isStale: true };
    this.#views.set(key, view);
    view.readers.add(reader);
    if (view.last !== undefined) reader(view.last);
    this.#plan();
    return () => this.#leave(key, view, reader);
  }

  /** What these views show may have changed: they need not wait. */
  changed(isMeant: (key: string) => boolean): void {
    for (const [key, view] of this.#views) if (isMeant(key)) view.isStale = true;
    this.#plan();
  }

  #leave(key: string, view: Watched<T>, reader: Reader<T>): void {
    if (!view.readers.delete(reader) || view.readers.size > 0) return;
    this.#views.delete(key);
    if (this.#views.size > 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#options.end();
  }

  #plan(): void {
    if (this.#isLooking || this.#views.size === 0) return;
    this.#cancel?.();
    const now = this.#options.clock.now();
    const due = Math.min(...[...this.#views.values()].map(dueAt));
    const at = Math.max(due, this.#lookedAt + betweenLooks, now);
    this.#cancel = this.#options.clock.after(at - now, () => void this.#look());
  }

  async #look(): Promise<void> {
    const [view] = [...this.#views.values()].toSorted((one, other) => dueAt(one) - dueAt(other));
    if (view === undefined) return;
    this.#isLooking = true;
    this.#lookedAt = view.lookedAt = this.#options.clock.now();
    view.isStale = false;
    try {
      const found = await view.look();
      view.last = found;
      for (const reader of view.readers) reader(found);
    } finally {
      this.#isLooking = false;
      this.#plan();
    }
  }
}
