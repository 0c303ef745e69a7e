import type { SimulatedInstance } from './instance.ts';

interface CrewParts {
  /** How many there are as long as nobody makes more or fewer of them. */
  size: number;
  begin: () => SimulatedInstance;
  /** Whether none may begin now. */
  isKeptAway: () => boolean;
  /** Told of one that is gone. */
  gone: (instance: SimulatedInstance) => void;
}

/** The instances that are there, as whoever runs them sees to it. */
export class Crew {
  readonly #parts: CrewParts;
  readonly #all = new Set<SimulatedInstance>();
  readonly #leaving = new Set<SimulatedInstance>();
  #turn = 0;

  constructor(parts: CrewParts) {
    this.#parts = parts;
  }

  /** Those that requests are sent to. */
  serving(): readonly SimulatedInstance[] {
    return this.all().filter((instance) => !this.#leaving.has(instance));
  }

  /** Those that still do something. */
  all(): readonly SimulatedInstance[] {
    return [...this.#all];
  }

  start(): SimulatedInstance {
    const instance = this.#parts.begin();
    this.#all.add(instance);
    return instance;
  }

  /** In the place of one that has gone another one begins, unless they are kept away. */
  next(): SimulatedInstance | undefined {
    const { size, isKeptAway } = this.#parts;
    if (isKeptAway()) return undefined;
    while (this.serving().length < size) this.start();
    const there = this.serving();
    this.#turn += 1;
    return there[this.#turn % there.length];
  }

  /** In the middle of whatever it does. */
  kill(instance: SimulatedInstance): void {
    if (!this.#all.delete(instance)) return;
    this.#leaving.delete(instance);
    instance.die();
    this.#parts.gone(instance);
  }

  /** Nothing more is sent to it, and it goes once it has done what it began. */
  retire(instance: SimulatedInstance): void {
    if (!this.#all.has(instance) || this.#leaving.has(instance)) return;
    this.#leaving.add(instance);
    void instance.close().then(() => this.kill(instance));
  }

  end(): void {
    for (const instance of this.#all) this.kill(instance);
  }
}
