import type { Dialect } from '../dialects/dialect.ts';
import { isDeleting, type Machine } from '../machine/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import { machineResource } from '../read/machine.ts';
import { isLearntLate } from '../read/learnt-late.ts';
import { WriteRefused } from './status.ts';
import { CouldNotLook } from '../kubernetes/errors.ts';

/** A change of a Machine that others write too. */
export interface Change {
  /** For errors: what could not be `deed`. */
  what: string;
  deed: string;
  subresource?: 'status';
  /** A merge patch; undefined when the Machine is already as it should be. */
  patchOf(machine: Machine): { metadata?: object; [field: string]: unknown } | undefined;
}

const mostTries = 3;

/**
 * Changes a Machine that is not being deleted, if it is still as it was seen; otherwise it is read again first, for
 * others write at the same time and a conflict is normal. The answer is the Machine as it is by then, perhaps being
 * deleted and therefore left alone; undefined when it is gone. Throws WriteRefused, and CouldNotLook.
 */
export async function changeLiving(
  env: Environment,
  dialect: Dialect,
  seen: Machine,
  change: Change,
): Promise<Machine | undefined> {
  let machine: Machine | undefined = seen;
  for (let tries = 0; tries < mostTries && machine !== undefined; tries += 1) {
    const patch = isDeleting(machine) ? undefined : change.patchOf(machine);
    if (patch === undefined) return machine;
    const { namespace, name, uid } = machine.ref;
    const metadata = { resourceVersion: machine.resourceVersion, uid, ...patch.metadata };
    const age = env.clock.stopwatch();
    const outcome = await env.management.mergePatch(
      machineResource(dialect, machine.ref),
      { namespace, name },
      { ...patch, metadata },
      change.subresource,
    );
    if (outcome.kind === 'refused')
      throw new WriteRefused(`${change.what} could not be ${change.deed}: ${outcome.message}`);
    if (outcome.kind === 'gone') return undefined;
    if (outcome.kind === 'written') {
      env.memory.rememberMachine(outcome.object, age);
      return dialect.read(outcome.object);
    }
    machine = await readAgain(env, dialect, machine);
  }
  if (machine === undefined) return undefined;
  const { namespace, name } = machine.ref;
  throw new CouldNotLook(
    `Machine ${namespace}/${name} kept changing while ${change.what} was to be ${change.deed}`,
  );
}

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

const mostReadings = 3;

/**
 * The same for who acts by it on something else: what was heard of the Machine may be old, and a server whose end was asked
 * for must be neither changed nor made again. Throws CouldNotLook.
 */
export async function readNow(
  env: Environment,
  dialect: Dialect,
  machine: Machine,
): Promise<Machine | undefined> {
  for (let reading = 0; reading < mostReadings; reading += 1) {
    const age = env.clock.stopwatch();
    const now = await readAgain(env, dialect, machine);
    if (!isLearntLate(age)) return now;
  }
  throw new CouldNotLook('the Machine could not be read in time');
}

/**
 * Whether a list has the Machine that a read did not find. That something is absent is said without a version; a list has
 * one, and it is not believed when it is older than what was seen of the Machine. Throws CouldNotLook.
 */
export async function isListed(env: Environment, dialect: Dialect, { ref }: Machine): Promise<boolean> {
  const { namespace, name, uid } = ref;
  const selection = { namespace, fieldSelector: `metadata.name=${name}` };
  const { items } = await env.management.list(machineResource(dialect, ref), selection);
  return items.some(({ metadata }) => metadata.uid === uid);
}
