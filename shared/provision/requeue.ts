import { leaveProvider, rememberFailures } from '../cache/provisioned.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { readOr } from '../kubernetes/errors.ts';
import { isDeleting, type Machine } from '../machine/machine.ts';
import { readAgain } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Again } from './decide.ts';
import { writeFailureEvent } from './event.ts';

/** Due in the store, whichever instance takes it. */
export function lookAgain(
  { clock, store }: Environment,
  { ref }: Machine,
  seconds: number,
  failures: number,
) {
  const at = clock.now() + Math.ceil(seconds * 1_000);
  return store.schedule({ machine: ref, at, failures });
}

/**
 * An Event tells what failed, once. A step that comes before it is due, from the sweep for example, goes on from here. The
 * pauses still grow.
 * @param aloneSeconds for so long the provider itself wants to be left alone
 */
export async function tryAgain(
  { env, dialect }: { env: Environment; dialect: Dialect },
  machine: Machine,
  again: Again,
  aloneSeconds: number,
): Promise<Machine | undefined> {
  const { afterSeconds, failures, fact } = again;
  leaveProvider(env.cache, machine.raw, aloneSeconds * 1_000);
  rememberFailures(env.cache, machine.raw, failures);
  const isSet = await lookAgain(env, machine, afterSeconds, failures);
  if (fact !== undefined) await writeFailureEvent(env, dialect, machine, fact);
  if (isSet || aloneSeconds === 0) return undefined;
  const now = await readOr(undefined, () => readAgain(env, dialect, machine));
  // What comes sooner was scheduled before the provider asked for time, unless it is for a deletion that has begun.
  if (now === undefined || isDeleting(now)) return now;
  await env.store.unschedule(machine.ref.uid);
  await lookAgain(env, machine, afterSeconds, failures);
  // Where it has begun right then, that look may have been the deletion's.
  return readOr(undefined, () => readAgain(env, dialect, machine));
}
