import type { ActuatorTarget } from '../actuator/port.ts';
import { retry } from '../async/retry.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { Environment } from '../runtime/environment.ts';

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
