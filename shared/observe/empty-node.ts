import { isDrained } from '../drain/plan.ts';
import { readOr } from '../kubernetes/errors.ts';
import { isUnreachable, type Node } from '../kubernetes/objects.ts';
import { checkpointAnnotation } from '../machine/checkpoint.ts';
import type { NodeProof } from '../phase/decision.ts';
import type { Subject } from '../phase/definition.ts';
import { isCordonedByPeer, mustDrainAgain } from '../phase/retreat.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import { volumesToIgnoreMatter } from '../volumes/attached.ts';
import { observeAttachments } from './attachments.ts';
import { isOwnWith, type OwnNode, observeOwnNode } from './node.ts';
import { observePlan, observePods } from './pods.ts';

/** The API's own controller waits for volumes once more: an attachment that is younger is left to it. */
const attachmentsMilliseconds = 1_000;

/** A Node with Pods that must go. It is cordoned without a read: the answer to the cordon is one. */
export interface UnreadNode {
  kind: 'unread';
  name: string;
  proof: NodeProof;
}

/**
 * The Machine's Node, if a Pod must go. As the API server cordons it, it can test whose it is. Tried once, as a deletion
 * begins. What cannot be told is left to a read of the Node.
 */
export function observeUnread(snapshot: Snapshot, subject: Subject): Promise<UnreadNode | undefined> {
  const { nodeName: name, providerId, nodeUid: uid } = subject.machine;
  if (snapshot.isForesight || !isToBegin(subject) || name === undefined || !providerId)
    return Promise.resolve(undefined);
  const proof = { providerId, uid };
  return readOr(undefined, async () => {
    if (!(await isOwnWith(snapshot, subject, proof))) return undefined;
    const plan = await observePlan(snapshot, subject, name);
    return plan === undefined || isDrained(plan) ? undefined : { kind: 'unread', name, proof };
  });
}

/** The first effect saves a checkpoint. */
const isToBegin = (subject: Subject): boolean =>
  isCordonedByPeer(subject) && !(checkpointAnnotation in subject.machine.annotations);

/**
 * Whether the Machine's Node needs neither drain nor cordon. No Pod must go, none has completed, and no volume is attached.
 * The API's own controller would skip its drain for a completed Pod, and so its cordon. What cannot be read is left to the
 * drain.
 */
export function isEmpty(snapshot: Snapshot, subject: Subject): Promise<boolean> {
  const { machine, checkpoint } = subject;
  const { nodeName } = machine;
  const isCordoned = nodeName !== undefined && snapshot.cordonedNode(nodeName) !== undefined;
  const isFirstLook = checkpoint.passed.drain === undefined && !isCordoned;
  if (!isFirstLook || !isCordonedByPeer(subject)) return Promise.resolve(false);
  return readOr(false, async () => {
    const own: OwnNode = await observeOwnNode(snapshot, subject);
    return own.kind === 'own' && isFree(snapshot, subject, own.node);
  });
}

async function isFree(snapshot: Snapshot, subject: Subject, node: Node): Promise<boolean> {
  if (node.spec?.unschedulable === true || isUnreachable(node)) return false;
  const plan = await observePlan(snapshot, subject, node.metadata.name);
  if (plan === undefined || !isDrained(plan)) return false;
  if (plan.completed.length === 0 && (await hasNoAttachment(snapshot, node))) return true;
  // Only a list made after the cordon shows that no Pod must go.
  snapshot.forgetPods();
  return false;
}

/** Whether nothing is on a reachable Node. Asked where the API's own controller cordons and drains it once more. */
export async function isLeftToPeer(snapshot: Snapshot, subject: Subject, node: Node): Promise<boolean> {
  if (!(await hasNoAttachment(snapshot, node))) return false;
  const context = { nodeName: node.metadata.name, unreachable: false, now: snapshot.now() };
  const { judgement } = await observePods(snapshot, subject, context);
  return judgement.kind === 'judged' && !mustDrainAgain(subject, judgement.verdicts, snapshot.now());
}

async function hasNoAttachment(snapshot: Snapshot, node: Node): Promise<boolean> {
  const { reading } = await observeAttachments(snapshot, node, attachmentsMilliseconds);
  return reading.kind === 'read' && !volumesToIgnoreMatter(reading.attached);
}
