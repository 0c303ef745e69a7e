import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { Ask } from './look.ts';
import { eventAgain, newEvent } from './resources.ts';

/** Writes Events one after the other, while looks go on. One that comes again is counted up. */
export class EventRecorder {
  readonly #ask: Ask;
  readonly #counts = new Map<string, number>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  tell(machine: KubeObject, reason: string): void {
    const name = `${machine.metadata.name}.${reason.toLowerCase()}`;
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    const request = count === 1 ? newEvent(name, machine, reason) : eventAgain(name, count);
    this.#last = this.#last.then(() => this.#ask(request));
  }
}
