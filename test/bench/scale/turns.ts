/** So many at a time, first come, first served. Who goes away while waiting loses the place. */
export class Turns {
  readonly #most: number;
  #taken = 0;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#most = most;
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** True when the turn has come, and must be given back. False if the caller went away. */
  take(gone: AbortSignal): Promise<boolean> {
    if (gone.aborted) return Promise.resolve(false);
    if (this.#taken < this.#most) {
      this.#taken += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const leave = (): void => {
        this.#waiting.delete(come);
        resolve(false);
      };
      const come = (): void => {
        gone.removeEventListener('abort', leave);
        resolve(true);
      };
      this.#waiting.add(come);
      gone.addEventListener('abort', leave, { once: true });
    });
  }

  giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#taken -= 1;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}
