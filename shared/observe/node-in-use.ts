import { Unavailable } from '../kubernetes/errors.ts';
import { isUnreachable } from '../kubernetes/objects.ts';
import type { Subject } from '../phase/definition.ts';
import {
  isDrainOpen,
  mustCordonAgain,
  mustDrainAgain,
  nowOrReached,
  podsAgain,
  type StepBack,
  schedulableAgain,
} from '../phase/retreat.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import { observeOwnNode } from './node.ts';
import { observePods } from './pods.ts';

/** What has to go is unknown: a rule or a Namespace does not tell, or it is unknown whose the Node is. */
export class Unjudged extends Unavailable {}

/**
 * Whether there is something on the Node that has to be drained, or may come, and may be drained. Throws Unavailable, and
 * Unjudged.
 */
export async function observeInUse(snapshot: Snapshot, subject: Subject): Promise<StepBack | undefined> {
  if (!isDrainOpen(subject, snapshot.now())) return undefined;
  const own = await observeOwnNode(snapshot, subject);
  if (own.kind === 'unknown') throw new Unjudged(own.why);
  if (own.kind !== 'own') return undefined;
  const { node } = own;
  const now = nowOrReached(subject, snapshot.now());
  const context = { nodeName: node.metadata.name, unreachable: isUnreachable(node), now };
  const { judgement } = await observePods(snapshot, subject, context);
  if (judgement.kind === 'failed') throw new Unjudged(judgement.failure.message);
  if (mustDrainAgain(subject, judgement.verdicts, snapshot.now())) return podsAgain;
  return mustCordonAgain(subject, node, snapshot.now()) ? schedulableAgain : undefined;
}
