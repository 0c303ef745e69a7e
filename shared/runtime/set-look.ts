import type { DueLook } from '../store/port.ts';
import { remember } from './bounded.ts';
import type { Turn } from './turn.ts';

/**
 * Sets when to look at a waiting Machine again, and says whether another instance watches for the end of its wait already:
 * the look has come that was set here in this very wait, another instance has taken it and has set one that comes sooner,
 * and nothing was found now that is not said already. All instances that ever looked would otherwise go on, each at times
 * of its own. Should the other one be gone, the look that it has set is still due, and whoever takes it watches.
 */
export async function setLook({ env, arrived, chronicle }: Turn, look: DueLook): Promise<boolean> {
  const { memory, store, clock } = env;
  const { uid } = look.machine;
  const { seq } = arrived.subject.checkpoint;
  const ours = memory.looks.get(uid);
  if (await store.schedule(look)) {
    remember(memory.looks, uid, { seq, at: look.at });
    return false;
  }
  const hasCome = ours?.seq === seq && ours.at <= clock.now();
  return hasCome && chronicle.announcements.length === 0;
}
