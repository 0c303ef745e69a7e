import { createHash } from 'node:crypto';
import { recordAt } from '../dialects/fields.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { sortedFields } from '../text/byte-order.ts';
import type { Cache } from './cache.ts';
import type { ProviderAnswer } from './machine-notes.ts';

/** Ask the provider this often about the server of an unchanged Machine; their own controllers asked less often. */
const ageMilliseconds = 10 * 60_000;

// A living Machine is known by what it asks for: what is written of its server, by whichever instance, is no reason to ask
// its provider again.

/** The provider has done what the Machine asked for. `isDone`: and has said nothing of when there is more to report. */
export const rememberServed = (cache: Cache, machine: KubeObject, isDone: boolean): void =>
  cache.note(uidOf(machine), {
    provider: answer(cache, machine, ageMilliseconds, isDone),
    providerFailures: undefined,
  });

/** The provider is left alone about what the Machine asks for, for this time. */
export const leaveProvider = (cache: Cache, machine: KubeObject, milliseconds: number): void =>
  cache.note(uidOf(machine), { provider: answer(cache, machine, milliseconds, true) });

/** How often in a row what the Machine asks for could not be done. */
export const rememberFailures = (cache: Cache, machine: KubeObject, failures: number): void =>
  cache.note(uidOf(machine), { providerFailures: { wish: wishOf(machine), failures } });

/** How often in a row what the Machine asks for could not be done; 0 where it asks for something else by now. */
export function failuresOf(cache: Cache, machine: KubeObject): number {
  const failed = cache.notes(uidOf(machine)).providerFailures;
  return failed?.wish === wishOf(machine) ? failed.failures : 0;
}

/** What was done may be undone by what is tried now. */
export const forgetServed = (cache: Cache, uid: string): void => cache.note(uid, { provider: undefined });

/** Whether its provider has done lately what it asks for, or is left alone about it. */
export const isServed = (cache: Cache, machine: KubeObject): boolean => known(cache, machine) !== undefined;

/** Whether it is served, and there is nothing more to ask soon. */
export const isServedForNow = (cache: Cache, machine: KubeObject): boolean =>
  known(cache, machine)?.isDone === true;

function known(cache: Cache, machine: KubeObject): ProviderAnswer | undefined {
  const asked = cache.notes(uidOf(machine)).provider;
  if (asked === undefined || asked.age() >= asked.milliseconds) return undefined;
  return asked.wish === wishOf(machine) ? asked : undefined;
}

const answer = (
  { clock }: Cache,
  machine: KubeObject,
  milliseconds: number,
  isDone: boolean,
): ProviderAnswer => ({
  wish: wishOf(machine),
  age: clock.stopwatch(),
  milliseconds,
  isDone,
});

const uidOf = ({ metadata: { uid = '' } }: KubeObject): string => uid;

/** All of a Machine that is not reported of its server; hashed, for there may be many and a manifest is long. */
function wishOf(machine: KubeObject): string {
  const { labels, annotations, finalizers, ownerReferences } = machine.metadata;
  const { providerID: _, ...wanted } = recordAt(machine, 'spec');
  // An event is read field by field, and so may have them in another order than the same object from the API server.
  const wish = JSON.stringify([wanted, labels, annotations, finalizers, ownerReferences], sortedFields);
  return createHash('sha256').update(wish).digest('base64');
}
