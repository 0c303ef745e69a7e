import { isDrained, planDrain } from '../drain/plan.ts';
import { isUnreachable } from '../kubernetes/node.ts';
import { isFinished } from '../kubernetes/pod.ts';
import type { Subject } from '../phase/definition.ts';
import { nowOrReached, podsAgain, type StepBack } from '../phase/retreat.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import { observeOwnNode } from './node.ts';
import { Unjudged } from './node-in-use.ts';
import { observeReferred } from './owned-object.ts';
import { observePods } from './pods.ts';
import { observeAgain } from './recheck.ts';

/** What is seen before our hook goes. */
export type HandOverSeen =
  /** The API's own controller does not drain, or is past that. */
  | { kind: 'let-go'; why: string }
  | { kind: 'unprepared'; back: StepBack }
  /** `hasCompleted`: Pods that were waited for have finished and are left; the API's own controller would wait for them. */
  | { kind: 'prepared'; hasCompleted: boolean };

/**
 * Looks whether the Node is still as the drain and the wait for volumes have left it. Nothing is read where the API's own
 * controller does no drain, or does its own. Throws Unavailable.
 */
export async function observeHandOver(snapshot: Snapshot, subject: Subject): Promise<HandOverSeen> {
  const { checkpoint, nodeDeletion, machine } = subject;
  if (checkpoint.released !== undefined) return { kind: 'let-go', why: 'it was let go before' };
  if (!nodeDeletion.allowed) return { kind: 'let-go', why: nodeDeletion.why };
  const seen = await observeReferred(snapshot, machine, 'infrastructure');
  if (seen.kind !== 'present' || seen.object.metadata.deletionTimestamp !== undefined)
    return { kind: 'let-go', why: 'its infrastructure is gone or going' };
  const back = await observeAgain(snapshot, subject, seen);
  if (back !== undefined) return { kind: 'unprepared', back };
  return checkpoint.passed.drain?.as === 'done'
    ? observeCompleted(snapshot, subject)
    : { kind: 'prepared', hasCompleted: false };
}

/** The API's own controller waits for a Pod with WaitCompleted also when that has finished. */
async function observeCompleted(snapshot: Snapshot, subject: Subject): Promise<HandOverSeen> {
  const own = await observeOwnNode(snapshot, subject);
  if (own.kind !== 'own') return { kind: 'prepared', hasCompleted: false };
  const { node } = own;
  const now = nowOrReached(subject, snapshot.now());
  const context = { nodeName: node.metadata.name, unreachable: isUnreachable(node), now };
  const { judgement } = await observePods(snapshot, subject, context);
  if (judgement.kind === 'failed') throw new Unjudged(judgement.failure.message);
  if (!isDrained(planDrain(judgement.verdicts, { records: new Map() })))
    return { kind: 'unprepared', back: podsAgain };
  const hasCompleted = judgement.verdicts.some(
    ({ pod, behavior }) => behavior === 'WaitCompleted' && isFinished(pod),
  );
  return { kind: 'prepared', hasCompleted };
}
