import type { Clock } from '../../../shared/time/clock.ts';

/** One process that wants CPU. `width`: how many cores it can use at once; 1 for what runs in one thread. */
export interface Worker {
  readonly name: string;
  readonly width: number;
  /** Milliseconds of CPU that it has had. */
  used: number;
}

interface Job {
  milliseconds: number;
  arrived: number;
  done: () => void;
}

interface Lane extends Worker {
  jobs: Job[];
  /** Of one thread, until when it runs. */
  freeAt: number;
  /** CPU by its share: who had least is next. */
  virtual: number;
}

/**
 * The CPU of one computer, by virtual time. Processes take turns by who had least, as the kernel has it; a piece of work
 * is not interrupted. Work is counted in fractions of a millisecond, and is over at the next whole one.
 */
export class Cores {
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  readonly #freeAt: number[];
  readonly #lanes: Lane[] = [];
  readonly #slowness: number;
  #least = 0;
  #wakesAt = Number.POSITIVE_INFINITY;
  #cancelWake: () => void = () => undefined;

  /** `slowness`: all work takes so many times as long, for something else runs there too. */
  constructor(clock: Pick<Clock, 'now' | 'after'>, cores: number, slowness = 1) {
    this.#clock = clock;
    this.#slowness = slowness;
    this.#freeAt = Array.from({ length: cores }, () => 0);
  }

  worker(name: string, width = 1): Worker {
    const lane: Lane = { name, width, used: 0, jobs: [], freeAt: 0, virtual: 0 };
    this.#lanes.push(lane);
    return lane;
  }

  /** CPU of each of them so far, in milliseconds. */
  workers(): readonly Worker[] {
    return this.#lanes;
  }

  /** Resolves when the work is done. */
  run(worker: Worker, milliseconds: number): Promise<void> {
    const lane = this.#lanes.find((each) => each === worker);
    if (lane === undefined) throw new Error(`${worker.name} is of another computer`);
    if (milliseconds <= 0) return Promise.resolve();
    return new Promise((done) => {
      if (lane.jobs.length === 0) lane.virtual = Math.max(lane.virtual, this.#least);
      lane.jobs.push({ milliseconds, arrived: this.#clock.now(), done });
      this.#dispatch();
    });
  }

  #dispatch(): void {
    const horizon = this.#clock.now() + 1;
    for (;;) {
      const core = this.#freeAt.indexOf(Math.min(...this.#freeAt));
      const free = this.#freeAt[core] ?? 0;
      const lane = free < horizon ? this.#next(horizon) : undefined;
      const job = lane?.jobs.shift();
      if (lane === undefined || job === undefined) break;
      this.#start(lane, job, { core, free });
    }
    this.#wakeUp(horizon);
  }

  #next(horizon: number): Lane | undefined {
    let best: Lane | undefined;
    for (const lane of this.#lanes) {
      if (lane.jobs.length === 0 || (lane.width === 1 && lane.freeAt >= horizon)) continue;
      if (best === undefined || lane.virtual < best.virtual) best = lane;
    }
    return best;
  }

  #start(lane: Lane, job: Job, { core, free }: { core: number; free: number }): void {
    const begins = Math.max(free, job.arrived, lane.width === 1 ? lane.freeAt : 0);
    const ends = begins + job.milliseconds * this.#slowness;
    this.#freeAt[core] = ends;
    lane.freeAt = ends;
    lane.used += job.milliseconds;
    this.#least = lane.virtual;
    lane.virtual += job.milliseconds / lane.width;
    this.#clock.after(Math.ceil(ends) - this.#clock.now(), job.done);
  }

  /** Looks again once a core and who waits for one may be free. */
  #wakeUp(horizon: number): void {
    const waiting = this.#lanes.filter(({ jobs }) => jobs.length > 0);
    if (waiting.length === 0) return;
    const threads = waiting.map(({ width, freeAt }) => (width === 1 ? freeAt : 0));
    const at = Math.floor(Math.max(horizon, Math.min(...this.#freeAt), Math.min(...threads)));
    if (at >= this.#wakesAt) return;
    this.#wakesAt = at;
    this.#cancelWake();
    this.#cancelWake = this.#clock.after(at - this.#clock.now(), () => {
      this.#wakesAt = Number.POSITIVE_INFINITY;
      this.#dispatch();
    });
  }
}
