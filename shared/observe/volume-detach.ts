import type { PodVerdict, VerdictFailure } from '../drain/verdict.ts';
import { Unavailable, Undetermined } from '../kubernetes/errors.ts';
import { isUnreachable, type Node } from '../kubernetes/objects.ts';
import { persistentVolumes } from '../kubernetes/resources.ts';
import type { Subject } from '../phase/definition.ts';
import {
  drainIsTrusted,
  isCordonedByPeer,
  isDrainOpen,
  mustCordonAgain,
  mustDrainAgain,
  nowOrReached,
  type StepBack,
} from '../phase/retreat.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import {
  type AttachedNames,
  type AttachedVolumes,
  cannotIgnoreClaims,
  claimsToIgnore,
  findAttachedVolumes,
  volumesToIgnoreMatter,
} from '../volumes/attached.ts';
import { type AwaitedAttachment, awaitedAttachments, heldVolume } from '../volumes/attachments.ts';
import { observeAttachments, observeNodeAttachments } from './attachments.ts';
import { isLeftToPeer } from './empty-node.ts';
import { type Closed, observeGate, unreadGate } from './gate.ts';
import { observeDrainedNode, observeOwnNode } from './node.ts';
import { observePods } from './pods.ts';

/** What a step has seen for the wait for volumes. */
export type VolumesSeen =
  | { kind: 'closed'; gate: Closed }
  | { kind: 'nothing-attached'; why: string }
  /** The Machine names another server's Node, and has none of its own. */
  | { kind: 'another'; why: string }
  /** It is unknown whose the Node is. */
  | { kind: 'unknown'; why: string }
  | { kind: 'unjudged'; failure: VerdictFailure }
  /** No Pod has come that must go, and nothing keeps any from coming. */
  | { kind: 'schedulable' }
  /** No kubelet would detach its volumes, and its Pods are as they are. */
  | { kind: 'unreachable'; verdicts: PodVerdict[] }
  | {
      kind: 'attached';
      volumes: AttachedVolumes;
      verdicts: PodVerdict[];
      node: Node;
      attachmentsVersion: string;
      /** The VolumeAttachments of what is waited for; absent where none was looked at. */
      attachments?: AwaitedAttachment[];
      /** Claims that are attached and not waited for. */
      leftClaims?: string[];
    };

/** The Node is not any more as its drain has left it. */
interface Undrained {
  kind: 'undrained';
  back: StepBack;
}

/** What the wait for volumes goes by. */
export type DetachSeen = VolumesSeen | Undrained;

/** What has to come off the Node before its server goes. */
export async function observeDetach(snapshot: Snapshot, subject: Subject): Promise<VolumesSeen> {
  // The rest of the gate costs a request. It is asked when something is attached, or the drain met it closed.
  const isLikelyClosed = subject.checkpoint.passed.drain?.as === 'not-applicable';
  const early = isLikelyClosed
    ? await observeGate(snapshot, subject, 'volume-detach')
    : unreadGate(snapshot, subject, 'volume-detach');
  if (early !== undefined) return { kind: 'closed', gate: early };
  try {
    const seen = await observeVolumes(snapshot, subject);
    const gate = seen.kind === 'unjudged' ? await observeGate(snapshot, subject, 'volume-detach') : undefined;
    return gate === undefined ? seen : { kind: 'closed', gate };
  } catch (error) {
    if (!(error instanceof Unavailable) || error instanceof Undetermined) throw error;
    // Nothing depends on the volumes once the server is gone or going, and they may be unreadable for good.
    const gate = await observeGate(snapshot, subject, 'volume-detach');
    if (gate === undefined) throw error;
    return { kind: 'closed', gate };
  }
}

async function observeVolumes(snapshot: Snapshot, subject: Subject): Promise<VolumesSeen> {
  if (await isFreeAsDrained(snapshot, subject)) return nothingAttached;
  const own = await observeOwnNode(snapshot, subject);
  if (own.kind === 'none') return { kind: 'nothing-attached', why: 'the Node does not exist any more' };
  if (own.kind !== 'own') return own;
  const { node } = own;
  if (isUnreachable(node)) return observeUnreachable(snapshot, subject, node);
  const { reading, resourceVersion } = await observeAttachments(snapshot, node);
  if (reading.kind === 'failed') return { kind: 'unjudged', failure: reading.failure };
  if (!volumesToIgnoreMatter(reading.attached) && !mayHavePodsAgain(subject, node, snapshot.now()))
    return nothingAttached;
  const gate = await observeGate(snapshot, subject, 'volume-detach');
  if (gate !== undefined) return { kind: 'closed', gate };
  const found = { node, attached: reading.attached, attachmentsVersion: resourceVersion };
  return observeAttached(snapshot, subject, found);
}

/** What is attached is looked at more closely, on the Node as it is now. */
async function isFreeAsDrained(snapshot: Snapshot, subject: Subject): Promise<boolean> {
  if (!isCordonedByPeer(subject)) return false;
  const own = await observeDrainedNode(snapshot, subject);
  return own.kind === 'own' && !isUnreachable(own.node) && isLeftToPeer(snapshot, subject, own.node);
}

const nothingAttached: VolumesSeen = { kind: 'nothing-attached', why: 'no volume is attached' };

/** No kubelet would detach its volumes: it is not heard. Its Pods that were not asked yet have to go. */
async function observeUnreachable(snapshot: Snapshot, subject: Subject, node: Node): Promise<VolumesSeen> {
  if (!mayHavePodsAgain(subject, node, snapshot.now())) return { kind: 'unreachable', verdicts: [] };
  const gate = await observeGate(snapshot, subject, 'volume-detach');
  if (gate !== undefined) return { kind: 'closed', gate };
  // By the clock of the instance that drained, a Pod may be left behind already.
  const now = nowOrReached(subject, snapshot.now());
  const context = { nodeName: node.metadata.name, unreachable: true, now };
  const { judgement } = await observePods(snapshot, subject, context);
  if (judgement.kind === 'failed') return { kind: 'unjudged', failure: judgement.failure };
  const { verdicts } = judgement;
  return isSchedulable(snapshot, subject, node, verdicts)
    ? { kind: 'schedulable' }
    : { kind: 'unreachable', verdicts };
}

const none: ReadonlySet<string> = new Set();

/** After a long wait, or on a Node that somebody uncordoned, there may be Pods that no drain has seen. */
const mayHavePodsAgain = (subject: Subject, node: Node, now: number): boolean =>
  isDrainOpen(subject, now) &&
  (subject.checkpoint.passed.drain?.as !== 'done' ||
    isAnotherDrained(subject, node) ||
    node.spec?.unschedulable !== true ||
    !drainIsTrusted(subject, now));

/** An earlier look may have drained another server's Node. */
const isAnotherDrained = ({ checkpoint }: Subject, { metadata: { uid } }: Node): boolean =>
  checkpoint.node !== undefined && checkpoint.node !== uid;

const isSchedulable = (snapshot: Snapshot, subject: Subject, node: Node, verdicts: PodVerdict[]): boolean =>
  !mustDrainAgain(subject, verdicts, snapshot.now()) && mustCordonAgain(subject, node, snapshot.now());

/** It judges whose volumes to leave out as the drain does. But a Pod that is on its way never counts as staying. */
async function observeAttached(
  snapshot: Snapshot,
  subject: Subject,
  { node, attached, attachmentsVersion }: { node: Node; attached: AttachedNames; attachmentsVersion: string },
): Promise<VolumesSeen> {
  const context = { nodeName: node.metadata.name, unreachable: false, now: snapshot.now() };
  const { judgement } = await observePods(snapshot, subject, context);
  if (judgement.kind === 'failed')
    return { kind: 'unjudged', failure: cannotIgnoreClaims(judgement.failure) };
  const { verdicts } = judgement;
  if (isSchedulable(snapshot, subject, node, verdicts)) return { kind: 'schedulable' };
  if (!volumesToIgnoreMatter(attached) && !mustDrainAgain(subject, verdicts, snapshot.now()))
    return nothingAttached;
  const { items } = await snapshot.sharedList('workload', persistentVolumes, heldVolume);
  const ignored = claimsToIgnore(verdicts);
  const volumes = findAttachedVolumes(attached, items, ignored);
  const attachments = awaitedAttachments(await observeNodeAttachments(snapshot, node), items, ignored);
  const leftClaims = findAttachedVolumes(attached, items, none).claims.filter((claim) => ignored.has(claim));
  return { kind: 'attached', volumes, verdicts, node, attachmentsVersion, attachments, leftClaims };
}
