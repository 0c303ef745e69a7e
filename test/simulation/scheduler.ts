import { type Clock, type Instant, type Stopwatch, stopwatchBy } from '../../shared/time/clock.ts';
import { Errands } from './platform/errands.ts';
import { type Due, DueQueue } from './queue.ts';
import type { Random } from './random.ts';

interface Event extends Due {
  strand: Strand | undefined;
  isOff: boolean;
  run: () => void;
}

/**
 * All there is of time in a simulation. Timers, answers on their way and events to deliver stand in one queue. Entries
 * of the same time come in random order. Between two of them everything that can go on goes on.
 */
export class Scheduler implements Clock {
  readonly #queue = new DueQueue<Event>();
  readonly #random: Random;
  #now: Instant;
  #steps = 0;

  constructor(start: Instant, random: Random) {
    this.#now = start;
    this.#random = random;
  }

  now(): Instant {
    return this.#now;
  }

  /** How many events have come so far. */
  get steps(): number {
    return this.#steps;
  }

  stopwatch(): Stopwatch {
    return stopwatchBy(() => this.#now);
  }

  after(milliseconds: number, run: () => void): () => void {
    return this.schedule(milliseconds, run, undefined);
  }

  /** `strand`: whose doing it is, who may be paused or dead by then. */
  schedule(milliseconds: number, run: () => void, strand: Strand | undefined): () => void {
    const at = this.#now + Math.max(0, Math.ceil(milliseconds));
    const event: Event = { at, order: this.#random(), strand, run, isOff: false };
    this.#queue.push(event);
    return () => void (event.isOff = true);
  }

  /** Lets time go by until then, or until `isOver`, which is asked after every event. */
  async run(until: Instant, isOver: () => boolean = () => false): Promise<void> {
    await settled();
    while (!isOver()) {
      const next = this.#queue.peek();
      if (next === undefined || next.at > until) break;
      this.#queue.pop();
      if (await this.#happens(next)) this.#steps += 1;
    }
    if (!isOver()) this.#now = Math.max(this.#now, until);
  }

  async #happens(event: Event): Promise<boolean> {
    const { strand } = event;
    if (event.isOff || strand?.isDead === true) return false;
    this.#now = Math.max(this.#now, event.at);
    if (strand !== undefined && strand.wakesAt > this.#now) {
      event.at = strand.wakesAt;
      this.#queue.push(event);
      return false;
    }
    event.run();
    await (this.#steps % eventsPerTurn === 0 ? turned() : settled());
    return true;
  }
}

/**
 * Lets everything that is ready to run do so. All promises go on before work that waits for the next tick. A turn of
 * the event loop would do the same for ten times the cost.
 */
const settled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** Lets the thread hear of the world outside now and then. */
const turned = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const eventsPerTurn = 500;

/** How long a step may take, in milliseconds. */
export type Latency = (label: string) => number;

/**
 * One process in the simulation. Its clock may be wrong. It may stand still for a while, without CPU or on a frozen
 * Node. It may die in the middle of anything.
 */
export class Strand implements Clock {
  readonly name: string;
  readonly errands = new Errands();
  readonly #scheduler: Scheduler;
  readonly #latency: Latency;
  #skew = 0;
  wakesAt: Instant = 0;
  /** In milliseconds, with what is left of a pause that is not over. */
  stoodStill = 0;
  isDead = false;

  constructor(name: string, scheduler: Scheduler, latency: Latency) {
    this.name = name;
    this.#scheduler = scheduler;
    this.#latency = latency;
  }

  now(): Instant {
    return this.#scheduler.now() + this.#skew;
  }

  /** As the real one: its clock may be set back, but it sees how much time passes. */
  stopwatch(): Stopwatch {
    return stopwatchBy(
      () => this.#scheduler.now(),
      () => this.now(),
    );
  }

  after(milliseconds: number, run: () => void): () => void {
    return this.#scheduler.schedule(milliseconds, run, this);
  }

  /** A scheduling point: resolves when the scheduler lets it, never once the process is dead. */
  step(label: string): Promise<void> {
    return new Promise((resolve) => {
      this.#scheduler.schedule(this.#latency(label), resolve, this);
    });
  }

  /** Whatever comes for it waits for so long. */
  pause(milliseconds: number): void {
    const now = this.#scheduler.now();
    const until = Math.max(this.wakesAt, now + milliseconds);
    this.stoodStill += until - Math.max(this.wakesAt, now);
    this.wakesAt = until;
  }

  /** For how long it has been able to act. Of a pause that is not over, only the elapsed part is left out. */
  awake(): Instant {
    const now = this.#scheduler.now();
    return now - this.stoodStill + Math.max(0, this.wakesAt - now);
  }

  /** Its clock is wrong by so much from now on; its timers are not. */
  skew(milliseconds: number): void {
    this.#skew = milliseconds;
  }

  die(): void {
    this.isDead = true;
  }
}
