import type { Requeue } from '../store/port.ts';
import type { Step } from './step.ts';

/**
 * Sets when a waiting Machine is due again, and says whether another instance already watches for the end of its wait. That
 * is so if the requeue that was set here in this wait has come, or was replaced by a sooner one of another instance, and
 * nothing new was found now. Otherwise all instances that ever ran a step would go on, each at times of its own. If the
 * other instance is gone, its requeue is still due, and the instance that takes it watches.
 */
export async function setLook({ env, arrived, journal }: Step, look: Requeue): Promise<boolean> {
  const { cache, store, clock } = env;
  const { uid } = look.machine;
  const { seq } = arrived.subject.checkpoint;
  const ours = cache.notes(uid).requeue;
  const isSet = await store.schedule(look);
  if (isSet || ours?.seq !== seq) {
    cache.note(uid, { requeue: { seq, at: look.at } });
    return false;
  }
  return ours.at <= clock.now() && journal.announcements.length === 0;
}
