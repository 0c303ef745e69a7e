import type { MachineEvent } from '../machine/kubernetes-event.ts';
import type { Clock, Stopwatch } from '../time/clock.ts';
import { remember } from './lru-map.ts';

/** A permission that is missing for good costs a request for each Machine in this time, and not one at each look. */
const restMilliseconds = 30_000;

/** The last ones say how it stands. */
const maxFacts = 10;

interface Owed {
  seq: number;
  facts: readonly MachineEvent[];
  age: Stopwatch;
}

/** Events that a permission or a policy forbids to write. Where an API shows nothing else, only they explain the wait. */
export class OwedEvents {
  readonly #clock: Clock;
  readonly #owed = new Map<string, Owed>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Beside those of the same step that are owed already, which need not wait any longer for it. */
  owe(machineUid: string, seq: number, facts: readonly MachineEvent[]): void {
    const owed = this.#owed.get(machineUid);
    const before = owed?.seq === seq ? owed : { facts: [], age: this.#clock.stopwatch() };
    const all = [...before.facts, ...facts].slice(-maxFacts);
    remember(this.#owed, machineUid, { seq, facts: all, age: before.age });
  }

  /** What is to be tried again of this step, and is not owed from here on; what is of an earlier one is told no more. */
  take(machineUid: string, seq: number): readonly MachineEvent[] {
    const owed = this.#owed.get(machineUid);
    if (owed === undefined || (owed.seq === seq && owed.age() < restMilliseconds)) return [];
    this.#owed.delete(machineUid);
    return owed.seq === seq ? owed.facts : [];
  }

  forget(machineUid: string): void {
    this.#owed.delete(machineUid);
  }
}
