import { type Scheduler, Strand } from '../../simulation/scheduler.ts';
import type { Cores, Worker } from './cores.ts';

/** What a step costs whom: CPU, and time that passes beside it. */
export interface Cost {
  worker: Worker;
  milliseconds: number;
  /** Time on the way. */
  latency?: number;
}

interface BusyProcessParts {
  name: string;
  scheduler: Scheduler;
  cores: Cores;
  worker: Worker;
  costs: (label: string) => Cost | undefined;
  /** So much of its first work takes so many times as long. */
  cold?: { milliseconds: number; factor: number };
}

/** A process whose steps take CPU. */
export class BusyProcess extends Strand {
  readonly worker: Worker;
  readonly #parts: BusyProcessParts;
  /** Its work so far, as if it had been warm. */
  #done = 0;

  constructor(parts: BusyProcessParts) {
    super(parts.name, parts.scheduler, () => 0);
    this.worker = parts.worker;
    this.#parts = parts;
  }

  /** Resolves when this thread has done the work. */
  work(milliseconds: number): Promise<void> {
    const { cores, cold } = this.#parts;
    const isCold = cold !== undefined && this.#done < cold.milliseconds;
    this.#done += milliseconds;
    return cores.run(this.worker, isCold ? milliseconds * cold.factor : milliseconds);
  }

  override async step(label: string): Promise<void> {
    const { costs, cores, scheduler } = this.#parts;
    const { worker, milliseconds, latency = 0 } = costs(label) ?? { worker: this.worker, milliseconds: 0 };
    if (worker === this.worker) await this.work(milliseconds);
    else await cores.run(worker, milliseconds);
    if (latency > 0) await new Promise<void>((resolve) => void scheduler.schedule(latency, resolve, this));
  }
}
