import type { Dialect } from '../dialects/dialect.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { Machine } from '../machine/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import { machineResource } from './machine.ts';
import { isReadTooOld } from './staleness.ts';

/** The Machine as it is now; undefined when it is gone. One that is being deleted is news to its next event still. */
export async function readAgain(
  env: Environment,
  dialect: Dialect,
  { ref }: Machine,
): Promise<Machine | undefined> {
  const { namespace, name, uid } = ref;
  const raw = await env.management.get(machineResource(dialect, ref), { namespace, name });
  return raw === undefined || raw.metadata.uid !== uid ? undefined : dialect.read(raw);
}

const maxReadings = 3;

/**
 * The same for who acts by it on something else: what was heard of the Machine may be old, and a server whose end was asked
 * for must be neither changed nor made again. Throws Unavailable.
 */
export async function readNow(
  env: Environment,
  dialect: Dialect,
  machine: Machine,
): Promise<Machine | undefined> {
  for (let reading = 0; reading < maxReadings; reading += 1) {
    const age = env.clock.stopwatch();
    const now = await readAgain(env, dialect, machine);
    if (!isReadTooOld(age)) return now;
  }
  throw new Unavailable('the Machine could not be read in time');
}

/**
 * Whether a list has the Machine that a read did not find. That something is absent is said without a version; a list has
 * one, and it is not believed when it is older than what was seen of the Machine. Throws Unavailable.
 */
export async function isListed(env: Environment, dialect: Dialect, { ref }: Machine): Promise<boolean> {
  const { namespace, name, uid } = ref;
  const selection = { namespace, fieldSelector: `metadata.name=${name}` };
  const { items } = await env.management.list(machineResource(dialect, ref), selection);
  return items.some(({ metadata }) => metadata.uid === uid);
}
