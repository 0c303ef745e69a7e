import { createHash } from 'node:crypto';
import type { Clock, Stopwatch } from '../clock.ts';
import { recordAt } from '../dialects/fields.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { sortedFields } from '../text/sorted-fields.ts';
import { remember } from './bounded.ts';

/** Providers are asked this often about a server whose Machine nobody has changed; their controllers did so more seldom. */
const ageMilliseconds = 10 * 60_000;

interface Asked {
  /** For what: see `wishOf`. */
  wish: string;
  age: Stopwatch;
  isDone: boolean;
}

/**
 * What this instance has asked providers about living Machines, and when. A Machine is known by what it asks for: what is
 * written of its server, by whichever instance, is no reason to ask again.
 */
export class InStep {
  readonly #clock: Clock;
  readonly #asked = new Map<string, Asked>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The provider has done what the Machine asked for. `isDone`: and has said nothing of when there is more to report. */
  remember(machine: KubeObject, isDone: boolean): void {
    const age = this.#clock.stopwatch();
    remember(this.#asked, uidOf(machine), { wish: wishOf(machine), age, isDone });
  }

  /** Whatever was done may be undone by what is tried now. */
  forget(uid: string): void {
    this.#asked.delete(uid);
  }

  /** Whether its provider has done lately what it asks for. */
  isServed(machine: KubeObject): boolean {
    return this.#known(machine) !== undefined;
  }

  /** And is not to be asked soon whether there is more to report. */
  has(machine: KubeObject): boolean {
    return this.#known(machine)?.isDone === true;
  }

  #known(machine: KubeObject): Asked | undefined {
    const asked = this.#asked.get(uidOf(machine));
    if (asked === undefined || asked.age() >= ageMilliseconds) return undefined;
    return asked.wish === wishOf(machine) ? asked : undefined;
  }
}

const uidOf = ({ metadata: { uid = '' } }: KubeObject): string => uid;

/** All of a Machine that is not reported of its server; hashed, for there may be many and a manifest is long. */
function wishOf(machine: KubeObject): string {
  const { labels, annotations, finalizers, ownerReferences } = machine.metadata;
  const { providerID: _, ...wanted } = recordAt(machine, 'spec');
  // An event is read field by field, and so may have them in another order than the same object from the API server.
  const wish = JSON.stringify([wanted, labels, annotations, finalizers, ownerReferences], sortedFields);
  return createHash('sha256').update(wish).digest('base64');
}
