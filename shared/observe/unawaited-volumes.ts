import { reworded, Unavailable } from '../kubernetes/errors.ts';
import type { Subject } from '../phase/definition.ts';
import { type StepBack, unknownAgain, unknownNow } from '../phase/retreat.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import { retreated } from '../phase/transitions.ts';
import { observeGate } from './gate.ts';
import { observeInUse, Unjudged } from './node-in-use.ts';
import type { VolumesSeen } from './volume-detach.ts';

/**
 * Do not trust the drain either where the wait for volumes is excluded or its time is over: no user said that the server may
 * go with Pods on it, and there may have been a pause since. Throws Unavailable where it is unknown whether there is still a
 * server, or what is on its Node: another instance may know, and would send the Machine back here at once.
 */
export async function observeUnawaited(
  snapshot: Snapshot,
  subject: Subject,
  seen: VolumesSeen,
): Promise<StepBack | undefined> {
  if (seen.kind !== 'closed') return undefined;
  // Where the server is gone or going the drain, too, would be passed over.
  const draining = { ...subject, checkpoint: retreated(subject.checkpoint, 'drain', snapshot.now()) };
  if ((await observeGate(snapshot, draining, 'drain')) !== undefined) return undefined;
  try {
    return await observeInUse(snapshot, subject);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    // The drain finds the same, and says so.
    if (error instanceof Unjudged) return unknownAgain('drain', error);
    throw reworded(error, unknownNow);
  }
}
