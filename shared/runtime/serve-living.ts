import type { ActuatorAnswer, ActuatorTarget } from '../actuator/port.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { CouldNotLook } from '../kubernetes/port.ts';
import { isDeleting, type Machine } from '../machine/machine.ts';
import { readAgain } from './change-living.ts';
import type { Environment } from './environment.ts';
import { leaveNoServer } from './leave-no-server.ts';

/** A Machine as it was when the provider was asked, and the answer; no answer where it turned out not to live. */
export type Served =
  | { machine: Machine; answer: ActuatorAnswer }
  | { machine: Machine | undefined; answer: undefined };

/**
 * Has the Machine's server changed to what the Machine says, and never after its end was asked for: what was heard of
 * the Machine may be old, so it is read just before.
 */
export async function updateServer(
  env: Environment,
  dialect: Dialect,
  seen: Machine,
  cluster: KubeObject | undefined,
): Promise<Served> {
  const machine = await readAgain(env, dialect, seen);
  if (machine === undefined || isDeleting(machine)) return { machine, answer: undefined };
  const answer = await env.actuator.update({ machine: machine.raw, cluster });
  env.log.info('Updating instance', { machine: machine.ref.name, outcome: answer.kind });
  return { machine, answer };
}

/**
 * Has a server made, and never for a Machine whose deletion may have asked for its end before: it is read just
 * before, and again afterwards. Was it deleted meanwhile, by another instance, then so is what was made.
 */
export async function createServer(
  env: Environment,
  dialect: Dialect,
  seen: Machine,
  cluster: KubeObject | undefined,
): Promise<Served> {
  const machine = await readAgain(env, dialect, seen);
  if (machine === undefined || isDeleting(machine)) return { machine, answer: undefined };
  const answer = await created(env, { machine: machine.raw, cluster });
  const outcome = answer instanceof CouldNotLook ? answer.message : answer.kind;
  env.log.info('Creating instance', { machine: machine.ref.name, outcome });
  const after = await readAgain(env, dialect, machine);
  if (after !== undefined && !isDeleting(after)) {
    if (answer instanceof CouldNotLook) throw answer;
    return { machine: after, answer };
  }
  await leaveNoServer(env, { machine: (after ?? machine).raw, cluster });
  return { machine: after, answer: undefined };
}

/** The answer, or that none came: then there may be a server all the same. */
async function created(env: Environment, target: ActuatorTarget): Promise<ActuatorAnswer | CouldNotLook> {
  try {
    return await env.actuator.create(target);
  } catch (error) {
    if (error instanceof CouldNotLook) return error;
    throw error;
  }
}
