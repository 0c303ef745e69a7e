import { presentAt, withoutFuture } from '../machine/future-starts.ts';
import { holdOn } from '../machine/guard.ts';
import { saveCheckpoint } from './save.ts';
import type { Turn } from './turn.ts';

/**
 * Stamps anew what began in the future by a clock that was wrong, before anything is decided by it; writes only where
 * there is such a start. False when the Machine has changed or gone meanwhile. Throws CouldNotLook when it could not
 * be written.
 */
export async function stampAnew({ env, arrived }: Turn): Promise<boolean> {
  const { subject, isSaved } = arrived;
  const { machine, checkpoint: before } = subject;
  const checkpoint = withoutFuture(before, presentAt(machine, env.clock.now()));
  // A Machine that must be left as it is gets no checkpoint, and nothing is decided by this one.
  if (checkpoint === before || holdOn(subject) !== undefined) return true;
  arrived.subject = { ...subject, checkpoint };
  if (!isSaved) return true;
  const saved = await saveCheckpoint(env, subject, checkpoint);
  if (saved.kind !== 'saved') return false;
  arrived.subject = { ...subject, machine: saved.machine, checkpoint };
  env.log.warn('A start lay in the future', { since: before.since, stampedAnew: checkpoint.since });
  return true;
}
