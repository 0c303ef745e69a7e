import type { Requeue } from '../store/port.ts';
import { commandOf, type Step } from './step.ts';

/**
 * Sets when a waiting Machine is due again, and says whether another instance already watches for the end of its wait. That
 * is so if the requeue that was set here in this wait has come, or was replaced by a sooner one of another instance, and
 * nothing new was found now. Otherwise all instances that ever ran a step would go on, each at times of its own. If the
 * other instance is gone, its requeue is still due, and the instance that takes it watches. So it does where the other one has
 * lost its watch: what it watched for came while this step was under way.
 */
export async function requeue(step: Step, look: Requeue): Promise<boolean> {
  const { env, arrived, journal } = step;
  const { cache, clock } = env;
  const { uid } = look.machine;
  const { seq } = arrived.subject.checkpoint;
  const ours = cache.notes(uid).requeue;
  const { isSet, isAlone } = await scheduled(step, look);
  if (isSet || isAlone || ours?.seq !== seq) {
    cache.note(uid, { requeue: { seq, at: look.at } });
    return false;
  }
  return ours.at <= clock.now() && journal.facts.length === 0;
}

async function scheduled(step: Step, look: Requeue): Promise<{ isSet: boolean; isAlone: boolean }> {
  const { store, stepClaim } = step.env;
  if (stepClaim !== undefined) return stepClaim.requeue(look, commandOf(step));
  return { isSet: await store.schedule(look), isAlone: false };
}
