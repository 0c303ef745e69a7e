import type { SimulatedInstance } from './instance.ts';

interface CrewParts {
  /** How many there are unless the number is changed. */
  size: number;
  /** The number of Services that share the instances, each with functions of its own. One by default. */
  services?: number;
  begin: () => SimulatedInstance;
  /** Whether none may begin now. */
  isKeptAway: () => boolean;
  /** Called for one that is gone. */
  gone: (instance: SimulatedInstance) => void;
}

/** The instances that exist, as their platform keeps them. */
export class Crew {
  readonly #parts: CrewParts;
  /** All there are, with the Service that each is of. */
  readonly #all = new Map<SimulatedInstance, number>();
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
    return [...this.#all.keys()];
  }

  /** Another one of the Service that has the fewest, unless it is said which. */
  start(service = this.#weakest()): SimulatedInstance {
    const instance = this.#parts.begin();
    this.#all.set(instance, service);
    return instance;
  }

  /** Of this Service. In the place of one that has gone another one begins, unless they are kept away. */
  next(service = 0): SimulatedInstance | undefined {
    const { size, services = 1, isKeptAway } = this.#parts;
    if (isKeptAway()) return undefined;
    while (this.#servingIn(service).length < size / services) this.start(service);
    const there = this.#servingIn(service);
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
    for (const instance of this.all()) this.kill(instance);
  }

  #servingIn(service: number): readonly SimulatedInstance[] {
    return this.serving().filter((instance) => this.#all.get(instance) === service);
  }

  #weakest(): number {
    const { services = 1 } = this.#parts;
    const sizes = Array.from({ length: services }, (_, service) => this.#servingIn(service).length);
    return sizes.indexOf(Math.min(...sizes));
  }
}
