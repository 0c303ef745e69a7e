import { createHash } from 'node:crypto';
import { recordAt } from '../dialects/fields.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { sortedFields } from '../text/sorted-fields.ts';
import type { Clock, Stopwatch } from '../time/clock.ts';
import { remember } from './lru-map.ts';

/** Ask the provider this often about the server of an unchanged Machine; their own controllers asked less often. */
const ageMilliseconds = 10 * 60_000;

interface Asked {
  /** For what: see `wishOf`. */
  wish: string;
  age: Stopwatch;
  /** For so long nothing more is to be asked. */
  milliseconds: number;
  isDone: boolean;
}

/**
 * What this instance has asked providers about living Machines, and when. A Machine is known by what it asks for: what is
 * written of its server, by whichever instance, is no reason to ask again.
 */
export class Provisioned {
  readonly #clock: Clock;
  readonly #asked = new Map<string, Asked>();
  readonly #failed = new Map<string, { wish: string; failures: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The provider has done what the Machine asked for. `isDone`: and has said nothing of when there is more to report. */
  remember(machine: KubeObject, isDone: boolean): void {
    this.#failed.delete(uidOf(machine));
    this.#remember(machine, { milliseconds: ageMilliseconds, isDone });
  }

  /** The provider is to be left alone about what the Machine asks for, for this time. */
  leave(machine: KubeObject, milliseconds: number): void {
    this.#remember(machine, { milliseconds, isDone: true });
  }

  /** How often in a row what the Machine asks for could not be done by now. */
  rememberFailures(machine: KubeObject, failures: number): void {
    remember(this.#failed, uidOf(machine), { wish: wishOf(machine), failures });
  }

  failuresOf(machine: KubeObject): number {
    const failed = this.#failed.get(uidOf(machine));
    return failed?.wish === wishOf(machine) ? failed.failures : 0;
  }

  /** Whatever was done may be undone by what is tried now. */
  forget(uid: string): void {
    this.#asked.delete(uid);
  }

  /** Whether its provider has done lately what it asks for, or is left alone about it. */
  isServed(machine: KubeObject): boolean {
    return this.#known(machine) !== undefined;
  }

  /** And is not to be asked soon whether there is more to report. */
  has(machine: KubeObject): boolean {
    return this.#known(machine)?.isDone === true;
  }

  #known(machine: KubeObject): Asked | undefined {
    const asked = this.#asked.get(uidOf(machine));
    if (asked === undefined || asked.age() >= asked.milliseconds) return undefined;
    return asked.wish === wishOf(machine) ? asked : undefined;
  }

  #remember(machine: KubeObject, asked: Pick<Asked, 'milliseconds' | 'isDone'>): void {
    const age = this.#clock.stopwatch();
    remember(this.#asked, uidOf(machine), { ...asked, wish: wishOf(machine), age });
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
