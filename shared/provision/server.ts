import type { ActuatorAnswer, ActuatorTarget } from '../actuator/port.ts';
import { retry } from '../async/retry.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { isDeleting, type Machine } from '../machine/machine.ts';
import { isListed, readAgain } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';

/** A Machine as it was when the provider was asked, and the answer. No answer where the Machine turned out not to live. */
type Served =
  | { machine: Machine; answer: ActuatorAnswer }
  | { machine: Machine | undefined; answer: undefined };

/** A Machine that was just read, and whom to ask about it. */
interface Serving {
  env: Environment;
  dialect: Dialect;
  machine: Machine;
  cluster: KubeObject | undefined;
}

/** Has the server of a Machine that was just read changed to what the Machine says. */
export async function updateServer({ env, machine, cluster }: Serving): Promise<Served> {
  const answer = await env.actuator.update({ machine: machine.raw, cluster });
  env.log.info('Updating instance', { outcome: answer.kind });
  return { machine, answer };
}

/**
 * Has a server made for a Machine that was just read, and reads it again afterwards. Was it deleted meanwhile, by another
 * instance, then so is its new server. One read that does not find it is not enough for that.
 */
export async function createServer({ env, dialect, machine, cluster }: Serving): Promise<Served> {
  const answer = await created(env, { machine: machine.raw, cluster });
  const outcome = answer instanceof Unavailable ? answer.message : answer.kind;
  env.log.info('Creating instance', { outcome });
  const after = await readForCertain({ env, dialect, machine });
  if (after !== undefined && !isDeleting(after)) {
    if (answer instanceof Unavailable) throw answer;
    return { machine: after, answer };
  }
  await deleteOrphan(env, { machine: (after ?? machine).raw, cluster });
  return { machine: after, answer: undefined };
}

type Known = Pick<Serving, 'env' | 'dialect' | 'machine'>;

/**
 * The Machine as it is now; undefined when it is gone. If that were never known, its server would stay for good. Throws
 * Unavailable when it could not be read.
 */
async function readForCertain(known: Known): Promise<Machine | undefined> {
  const { env, machine } = known;
  const reading = await retry(
    env.clock,
    () => orNothing(readOnce(known)),
    (answer) => !(answer instanceof Unavailable),
  );
  if (reading instanceof Unavailable) {
    env.log.warn('It is not known whether a Machine is gone whose instance was created', {
      why: reading.message,
    });
    throw reading;
  }
  if (reading.isMissed) throw notFound(machine);
  return reading.machine;
}

async function readOnce({ env, dialect, machine }: Known) {
  const found = await readAgain(env, dialect, machine);
  return { machine: found, isMissed: found === undefined && (await isListed(env, dialect, machine)) };
}

const notFound = ({ ref: { namespace, name } }: Machine): Unavailable =>
  new Unavailable(`Machine ${namespace}/${name} was not found although it is there`);

/** The answer, or that none came: then there may be a server all the same. */
const created = (env: Environment, target: ActuatorTarget): Promise<ActuatorAnswer | Unavailable> =>
  orNothing(env.actuator.create(target));

/** What was learnt, or that nothing could be. */
async function orNothing<T>(answer: Promise<T>): Promise<T | Unavailable> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Unavailable) return error;
    throw error;
  }
}

/**
 * Has a server removed that was made for a Machine which is gone by now. No phase and no sweep will ask for its end any more.
 * So it is asked for here, a few times. What may be left after that is in the log.
 */
export async function deleteOrphan(env: Environment, target: ActuatorTarget): Promise<void> {
  const outcome = await retry(
    env.clock,
    () => asked(env, target),
    (answer) => answer === 'accepted',
  );
  if (outcome === 'accepted') env.log.warn('Machine was deleted while its instance was created', { outcome });
  else env.log.warn('An instance may be left of a Machine that is gone', { why: outcome });
}

async function asked({ actuator }: Environment, target: ActuatorTarget): Promise<string> {
  try {
    const answer = await actuator.delete(target);
    return answer.kind === 'accepted' ? answer.kind : answer.message;
  } catch (error) {
    if (error instanceof Unavailable) return error.message;
    throw error;
  }
}
