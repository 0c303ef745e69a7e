import type { PodVerdict } from '../drain/verdict.ts';
import { reworded, Unavailable } from '../kubernetes/errors.ts';
import { isUnreachable, type Node } from '../kubernetes/objects.ts';
import type { Subject } from '../phase/definition.ts';
import {
  isCordonedByPeer,
  isDrainOpen,
  mustCordonAgain,
  mustDrainAgain,
  nowOrReached,
  podsAgain,
  type StepBack,
  schedulableAgain,
  unknownAgain,
  unknownNow,
} from '../phase/retreat.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import { retreated } from '../phase/transitions.ts';
import { observeGate } from './gate.ts';
import { observeOwnNode } from './node.ts';
import { observePods } from './pods.ts';
import type { VolumesSeen } from './volume-detach.ts';

/** It is unknown what has to go. A rule or a Namespace does not tell, or the Node's owner is unknown. */
class Unjudged extends Unavailable {}

/**
 * Whether there is something on the Node that has to be drained, or may come, and may be drained. Throws Unavailable, and
 * Unjudged.
 */
export async function observeInUse(snapshot: Snapshot, subject: Subject): Promise<StepBack | undefined> {
  if (!isDrainOpen(subject, snapshot.now())) return undefined;
  const own = await observeOwnNode(snapshot, subject);
  if (own.kind === 'unknown') throw new Unjudged(own.why);
  if (own.kind !== 'own') return undefined;
  const verdicts = await observeVerdicts(snapshot, subject, own.node);
  if (mustDrainAgain(subject, verdicts, snapshot.now())) return podsAgain;
  if (isCordonedByPeer(subject) && !isUnreachable(own.node)) return undefined;
  return mustCordonAgain(subject, own.node, snapshot.now()) ? schedulableAgain : undefined;
}

/** What has to go from the Node, by the clock of the instance that drained. Throws Unavailable, and Unjudged. */
export async function observeVerdicts(
  snapshot: Snapshot,
  subject: Subject,
  node: Node,
): Promise<PodVerdict[]> {
  const now = nowOrReached(subject, snapshot.now());
  const context = { nodeName: node.metadata.name, unreachable: isUnreachable(node), now };
  const { judgement } = await observePods(snapshot, subject, context);
  if (judgement.kind === 'failed') throw new Unjudged(judgement.failure.message);
  return judgement.verdicts;
}

/**
 * Do not trust the drain either where the wait for volumes is excluded or its time is over. No user said that the server may
 * go with Pods on it. There may have been a pause since. Throws Unavailable where it is unknown whether there is still a
 * server, or what is on its Node. Another instance may know, and would send the Machine back here at once.
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
