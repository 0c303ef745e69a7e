import type { Requeue } from '../store/port.ts';
import { remember } from '../cache/lru-map.ts';
import type { Step } from './step.ts';

/**
 * Sets when to look at a waiting Machine again, and says whether another instance watches for the end of its wait already:
 * the look has come that was set here in this very wait, or would have been but for one that came sooner, another instance
 * has looked and has set one that comes sooner still, and nothing was found now that is not said already. All instances
 * that ever looked would otherwise go on, each at times of its own. Should the other one be gone, the look that it has set
 * is still due, and whoever takes it watches.
 */
export async function setLook({ env, arrived, journal }: Step, look: Requeue): Promise<boolean> {
  const { cache, store, clock } = env;
  const { uid } = look.machine;
  const { seq } = arrived.subject.checkpoint;
  const ours = cache.looks.get(uid);
  const isSet = await store.schedule(look);
  if (isSet || ours?.seq !== seq) {
    remember(cache.looks, uid, { seq, at: look.at });
    return false;
  }
  return ours.at <= clock.now() && journal.announcements.length === 0;
}
