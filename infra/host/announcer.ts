import type { OutEvent } from '../../events/types.ts';
import type { Say } from '../../shared/runtime/environment.ts';

/** Hands events to the bus. Rejects when they could not be delivered. */
export type Send = (event: OutEvent) => Promise<void>;

/** More than this many facts waiting to be told means that nobody takes them: the oldest are dropped, and said so. */
const mostWaiting = 10_000;
const mostAtOnce = 8;

/**
 * Tells facts in the background, so that no effect waits for a listener. Facts are news, not the deletion's
 * memory: that is on the Machine and in the history.
 */
export class Announcer {
  readonly #send: Send;
  readonly #log: Say;
  readonly #waiting: OutEvent[] = [];
  readonly #sending = new Set<Promise<void>>();
  #dropped = 0;

  constructor(send: Send, log: Say) {
    this.#send = send;
    this.#log = log;
  }

  tell(events: readonly OutEvent[]): void {
    this.#waiting.push(...events);
    while (this.#waiting.length > mostWaiting) {
      this.#waiting.shift();
      this.#dropped += 1;
    }
    this.#next();
  }

  /** Resolves when all that was to be told has been, or has failed. */
  async flush(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
    if (this.#dropped > 0) this.#log.warn('Facts were dropped', { count: this.#dropped });
  }

  #next(): void {
    while (this.#sending.size < mostAtOnce) {
      const event = this.#waiting.shift();
      if (event === undefined) return;
      const sending: Promise<void> = this.#send(event)
        .catch((error: unknown) =>
          this.#log.warn('Fact not told', { type: event.type, id: event.id, why: String(error) }),
        )
        .finally(() => {
          this.#sending.delete(sending);
          this.#next();
        });
      this.#sending.add(sending);
    }
  }
}
