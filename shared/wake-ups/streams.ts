import type { Clock } from '../time/clock.ts';
import { type Source, Stream, type Waking } from './stream.ts';
import type { Watching } from './watch.ts';

/** A step takes less. If none follows here, another instance has the Machine. */
const restMilliseconds = 10_000;

/** A watch that shows the end of a wait. */
export interface Wanted {
  source: Source;
  /** Tells one API server from another. */
  side: string;
  watching: Watching;
}

/** The watches of one Machine. Those that the next wait needs as well stay open between two waits. */
export class Streams {
  readonly #clock: Clock;
  readonly #maxAgeMilliseconds: number;
  readonly #open = new Map<string, Stream>();
  #stopResting: (() => void) | undefined;

  /** @param maxAgeMilliseconds an older stream may have gone silent, and is not used again */
  constructor(clock: Clock, maxAgeMilliseconds: number) {
    this.#clock = clock;
    this.#maxAgeMilliseconds = maxAgeMilliseconds;
  }

  /** Keeps exactly these watches. */
  keep(wanted: readonly Wanted[], waking: Waking): void {
    this.#stopResting?.();
    const keys = wanted.map(keyOf);
    for (const [key, stream] of this.#open)
      if (!keys.includes(key) || this.#isWorn(stream)) this.#close(key, stream);
    for (const [index, { source, watching }] of wanted.entries()) {
      const key = keys[index] ?? '';
      const stream = this.#open.get(key);
      if (stream === undefined) this.#open.set(key, new Stream(source, this.#clock, watching, waking));
      else stream.take(watching, waking);
    }
  }

  /** Nothing is waited for while a step runs. `closed` is called if no other wait follows. */
  rest(closed: () => void): void {
    for (const stream of this.#open.values()) stream.rest();
    this.#stopResting?.();
    this.#stopResting = this.#clock.after(restMilliseconds, () => {
      this.close();
      closed();
    });
  }

  close(): void {
    this.#stopResting?.();
    this.#stopResting = undefined;
    for (const [key, stream] of this.#open) this.#close(key, stream);
  }

  #isWorn(stream: Stream): boolean {
    return stream.isOver || stream.age() > this.#maxAgeMilliseconds;
  }

  #close(key: string, stream: Stream): void {
    this.#open.delete(key);
    stream.close();
  }
}

const keyOf = ({ side, watching: { resource, selection } }: Wanted): string =>
  JSON.stringify([side, resource.group, resource.plural, selection.namespace, selection.fieldSelector]);
