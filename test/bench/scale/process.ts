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
}

/** A process whose steps take CPU. */
export class BusyProcess extends Strand {
  readonly worker: Worker;
  readonly #parts: BusyProcessParts;

  constructor(parts: BusyProcessParts) {
    super(parts.name, parts.scheduler, () => 0);
    this.worker = parts.worker;
    this.#parts = parts;
  }

  /** Resolves when this thread has done the work. */
  work(milliseconds: number): Promise<void> {
    return this.#parts.cores.run(this.worker, milliseconds);
  }

  override async step(label: string): Promise<void> {
    const { costs, cores, scheduler } = this.#parts;
    const { worker, milliseconds, latency = 0 } = costs(label) ?? { worker: this.worker, milliseconds: 0 };
    await cores.run(worker, milliseconds);
    if (latency > 0) await new Promise<void>((resolve) => void scheduler.schedule(latency, resolve, this));
  }
}
