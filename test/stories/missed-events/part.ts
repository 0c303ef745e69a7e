/** Something that runs as often as it was started: a Deployment that is rolled has two Pods for a while. */
export class Part {
  readonly #begin: () => () => void;
  readonly #stops: (() => void)[] = [];

  constructor(begin: () => () => void) {
    this.#begin = begin;
  }

  get running(): number {
    return this.#stops.length;
  }

  start(): void {
    this.#stops.push(this.#begin());
  }

  /** Ends the one that was started first, in the middle of whatever it does. */
  stop(): void {
    this.#stops.shift()?.();
  }

  end(): void {
    while (this.running > 0) this.stop();
  }
}
