import type { ConnectOptions } from '../../../shared/adapters/kubernetes/connect.ts';
import type { Random } from '../random.ts';
import { type Scheduler, Strand } from '../scheduler.ts';
import type { SimulatedWire } from '../wire/wire.ts';
import { type ConnectionParts, openConnection } from './connection.ts';

interface ProcessesParts extends Omit<ConnectionParts, 'strand'> {
  scheduler: Scheduler;
  random: Random;
  /** The longest that a step usually takes. */
  latencyMilliseconds: number;
}

/** All processes there are: instances, sources and the Broker, each with a name of its own. */
export class Processes {
  readonly #parts: ProcessesParts;
  readonly #wires = new Map<string, SimulatedWire>();
  #started = 0;

  constructor(parts: ProcessesParts) {
    this.#parts = parts;
  }

  /** The wires of those that are there and ask API servers, by name. */
  get wires(): ReadonlyMap<string, SimulatedWire> {
    return this.#wires;
  }

  /** `kind`: what its name begins with. */
  start(kind: string): Strand {
    this.#started += 1;
    const name = `${kind}-${this.#started}`;
    const { scheduler, meddlers, latencyMilliseconds } = this.#parts;
    const random = this.#parts.random.fork(`latency of ${name}`);
    return new Strand(name, scheduler, (label) => {
      const longer = meddlers.step({ strand: name, label }) ?? 0;
      return Math.floor(random() * latencyMilliseconds) + longer;
    });
  }

  /** Its way to API servers. */
  connect(strand: Strand): Pick<ConnectOptions, 'clock' | 'carry'> {
    const { wire, options } = openConnection({ ...this.#parts, strand });
    this.#wires.set(strand.name, wire);
    return options;
  }

  /** In the middle of whatever it does: nothing leaves any more, and nothing arrives. */
  end(strand: Strand): void {
    strand.die();
    this.#wires.get(strand.name)?.die();
    this.#wires.delete(strand.name);
  }
}
