import { NotDelivered } from '../failures.ts';

/** Lets a number of tasks run at once; the others wait in the order they came. */
export class Places {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(number: number) {
    this.#free = number;
  }

  /** Throws NotDelivered where the signal is aborted before there is a place. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#free === 0) await this.#turn(signal);
    else this.#free -= 1;
    try {
      return await task();
    } finally {
      const [next] = this.#waiting;
      // The place passes on directly, so that no later call can take it.
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #turn(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(take);
        signal?.removeEventListener('abort', giveUp);
      };
      const take = (): void => {
        leave();
        resolve();
      };
      const giveUp = (): void => {
        leave();
        reject(new NotDelivered('too many events are under way to a sink that does not answer'));
      };
      this.#waiting.add(take);
      signal?.addEventListener('abort', giveUp, { once: true });
      if (signal?.aborted) giveUp();
    });
  }
}
