import type { Scheduler } from '../../simulation/scheduler.ts';
import { constants, type Plane } from './constants.ts';
import type { Cores, Worker } from './cores.ts';
import { BusyProcess, type Cost } from './process.ts';

const { instance: own } = constants;

/** All processes of one plane beside the API server: what each of their steps costs, and whose CPU it takes. */
export class BusyProcesses {
  readonly #scheduler: Scheduler;
  readonly #cores: Cores;
  readonly #plane: Plane;
  /** Broker and sources; in one process with the first instance where all is in one. */
  readonly #dataPlane: Worker;
  /** The store. */
  readonly #table: Worker;
  #started = 0;

  constructor(parts: { scheduler: Scheduler; cores: Cores; plane: Plane }) {
    this.#scheduler = parts.scheduler;
    this.#cores = parts.cores;
    this.#plane = parts.plane;
    const isOne = parts.plane === 'process';
    this.#dataPlane = parts.cores.worker(
      isOne ? 'phaseout' : 'Broker and gateway',
      isOne ? 1 : constants.cores,
    );
    this.#table = isOne ? this.#dataPlane : parts.cores.worker('table', constants.cores);
  }

  instance(): BusyProcess {
    const { hop, storeLatency, store } = constants.planes[this.#plane];
    const isOne = this.#plane === 'process';
    return this.#start(
      'instance',
      isOne ? this.#dataPlane : this.#cores.worker('phaseout'),
      (label, worker) => {
        if (label === 'a request arrives') return { worker, milliseconds: own.take };
        if (label === 'its answer leaves') return { worker, milliseconds: own.answer, latency: hop };
        if (label === 'an event leaves') return { worker, milliseconds: own.tell, latency: hop };
        if (label === 'the table') return { worker: this.#table, milliseconds: store, latency: storeLatency };
        if (label.startsWith('store ')) return { worker, milliseconds: own.store };
        return undefined;
      },
      constants.planes[this.#plane].cold,
    );
  }

  broker(): BusyProcess {
    const { delivery, hop } = constants.planes[this.#plane];
    return this.#start('broker', this.#dataPlane, (label, worker) =>
      label === 'an event is delivered' ? { worker, milliseconds: delivery, latency: hop } : undefined,
    );
  }

  source(): BusyProcess {
    const { source, hop } = constants.planes[this.#plane];
    return this.#start('source', this.#dataPlane, (label, worker) =>
      label === 'an event leaves' ? { worker, milliseconds: source, latency: hop } : undefined,
    );
  }

  /** The Broker has taken an event in. */
  takeIn(): void {
    void this.#cores.run(this.#dataPlane, constants.planes[this.#plane].ingress);
  }

  #start(
    kind: string,
    worker: Worker,
    costs: (label: string, worker: Worker) => Cost | undefined,
    cold?: { milliseconds: number; factor: number },
  ): BusyProcess {
    this.#started += 1;
    return new BusyProcess({
      name: `${kind}-${this.#started}`,
      scheduler: this.#scheduler,
      cores: this.#cores,
      worker,
      costs: (label) => costs(label, worker),
      ...(cold && { cold }),
    });
  }
}
