import type { Dialect } from '../dialects/dialect.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import { isDeleting, type Machine } from '../machine/machine.ts';
import { machineResource, readAgain } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import { WriteRefused } from './outcome.ts';

/** A change of a Machine that others write too. */
export interface Change {
  /** For errors: what could not be `deed`. */
  what: string;
  deed: string;
  subresource?: 'status';
  /** The Machine comes from an event, which anybody may send. So it is read before it is written. */
  isHeard?: boolean;
  /** A merge patch; undefined when the Machine is already as it should be. */
  patchOf(machine: Machine): { metadata?: object; [field: string]: unknown } | undefined;
}

const maxTries = 3;

/**
 * Changes a Machine that is not being deleted, if it is still as it was seen. Otherwise reads it again first: others
 * write at the same time, and a conflict is normal. Returns the Machine as it is then. It may be in deletion by then,
 * and is left alone. Undefined if it is gone. Throws WriteRefused, and Unavailable.
 */
export async function changeLiving(
  env: Environment,
  dialect: Dialect,
  seen: Machine,
  change: Change,
): Promise<Machine | undefined> {
  let machine = await asItIs(env, dialect, seen, change);
  for (let tries = 0; tries < maxTries && machine !== undefined; tries += 1) {
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
      env.cache.rememberMachine(outcome.object, age);
      return dialect.read(outcome.object);
    }
    machine = await readAgain(env, dialect, machine);
  }
  if (machine === undefined) return undefined;
  const { namespace, name } = machine.ref;
  throw new Unavailable(
    `Machine ${namespace}/${name} kept changing while ${change.what} was to be ${change.deed}`,
  );
}

/** An event that needs no change costs no read. */
function asItIs(
  env: Environment,
  dialect: Dialect,
  seen: Machine,
  change: Change,
): Promise<Machine | undefined> | Machine {
  const isAsked = change.isHeard === true && !isDeleting(seen) && change.patchOf(seen) !== undefined;
  return isAsked ? readAgain(env, dialect, seen) : seen;
}
