/** Lets a number of tasks run at once; the others wait in the order they came. */
export class Places {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(number: number) {
    this.#free = number;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free -= 1;
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      // The place goes from hand to hand, so that nobody who comes now can take it.
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
