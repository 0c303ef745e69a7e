import { createHash } from 'node:crypto';
import { recordAt } from '../dialects/fields.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { sortedFields } from '../text/byte-order.ts';
import type { Cache } from './cache.ts';
import type { ProviderAnswer } from './machine-notes.ts';

/** Ask the provider this often about the server of an unchanged Machine. Their own controllers asked less often. */
const ageMilliseconds = 10 * 60_000;

// A living Machine is known by its wish. Writes about its server, by any instance, are no reason to ask its provider again.

/** The provider has done what the Machine asked for. `isDone`: it has named no time for a further report. */
export const rememberServed = (cache: Cache, machine: KubeObject, isDone: boolean): void =>
  cache.note(uidOf(machine), {
    provider: answer(cache, machine, ageMilliseconds, isDone),
    providerFailures: undefined,
  });

/** The provider is not asked about the Machine's wish for this time. */
export const leaveProvider = (cache: Cache, machine: KubeObject, milliseconds: number): void =>
  cache.note(uidOf(machine), { provider: answer(cache, machine, milliseconds, true) });

/** Remembers how often in a row the Machine's wish failed. */
export const rememberFailures = (cache: Cache, machine: KubeObject, failures: number): void =>
  cache.note(uidOf(machine), { providerFailures: { wish: wishOf(machine), failures } });

/** How often in a row the Machine's wish failed; 0 if the wish has changed since. */
export function failuresOf(cache: Cache, machine: KubeObject): number {
  const failed = cache.notes(uidOf(machine)).providerFailures;
  return failed?.wish === wishOf(machine) ? failed.failures : 0;
}

/** The next attempt may undo what was done. */
export const forgetServed = (cache: Cache, uid: string): void => cache.note(uid, { provider: undefined });

/** Whether its provider has fulfilled its wish lately, or is left alone about it. */
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

/** All of a Machine that is no report on its server. Hashed: there may be many, and a manifest is long. */
function wishOf(machine: KubeObject): string {
  const { labels, annotations, finalizers, ownerReferences } = machine.metadata;
  const { providerID: _, ...wanted } = recordAt(machine, 'spec');
  // An event may have its fields in another order than the same object from the API server.
  const wish = JSON.stringify([wanted, labels, annotations, finalizers, ownerReferences], sortedFields);
  return createHash('sha256').update(wish).digest('base64');
}
