import { clockToleranceMilliseconds } from './clock.ts';
import { isDrained, planDrain } from './drain/plan.ts';
import type { PodVerdict, VerdictFailure } from './drain/verdict.ts';
import { isUnreachable } from './kubernetes/node.ts';
import type { Node } from './kubernetes/objects.ts';
import { lookOr } from './kubernetes/look-or.ts';
import { CouldNotLook, persistentVolumes } from './kubernetes/port.ts';
import { type Closed, observeGate, unreadGate } from './observe-gate.ts';
import { observeNode } from './observe-node.ts';
import { observePods } from './observe-pods.ts';
import { observeAttachments } from './observe-volumes.ts';
import { presentAt } from './machine/future-starts.ts';
import { startAgain } from './machine/progress.ts';
import { phaseStart, reachedAt, type Subject } from './phase-definition.ts';
import type { Look } from './runtime/look.ts';
import {
  type AttachedNames,
  type AttachedVolumes,
  cannotIgnoreClaims,
  claimsToIgnore,
  findAttachedVolumes,
  volumesToIgnoreMatter,
} from './volumes/attached.ts';

export type VolumesSeen =
  | { kind: 'closed'; gate: Closed }
  | { kind: 'nothing-attached'; why: string }
  | { kind: 'unjudged'; failure: VerdictFailure }
  /** Nobody would detach its volumes, and its Pods are as they are. */
  | { kind: 'unreachable'; verdicts: PodVerdict[] }
  | {
      kind: 'attached';
      volumes: AttachedVolumes;
      verdicts: PodVerdict[];
      node: Node;
      attachmentsVersion: string;
    };

/**
 * A drain that ended no longer ago than this is taken at its word: what comes to a cordoned Node comes slowly. One that
 * ends in the future by a clock that was set back ended nobody knows when.
 */
const drainedLatelyMilliseconds = 5_000;

/** What has to come off the Node before its server goes. */
export async function observeDetach(look: Look, subject: Subject): Promise<VolumesSeen> {
  // The rest of the gate costs a request and is asked when something is attached, or the drain met it closed.
  const isLikelyClosed = subject.checkpoint.passed.drain?.as === 'not-applicable';
  const early = isLikelyClosed
    ? await observeGate(look, subject, 'volume-detach')
    : unreadGate(look, subject, 'volume-detach');
  if (early !== undefined) return { kind: 'closed', gate: early };
  try {
    const seen = await observeVolumes(look, subject);
    const gate = seen.kind === 'unjudged' ? await knownGate(look, subject) : undefined;
    return gate === undefined ? seen : { kind: 'closed', gate };
  } catch (error) {
    // Nothing depends on the volumes where the server is gone or going already, and nobody may ever read them then.
    const gate = error instanceof CouldNotLook ? await knownGate(look, subject) : undefined;
    if (gate === undefined) throw error;
    return { kind: 'closed', gate };
  }
}

/** Undefined also where the infrastructure cannot be read. */
const knownGate = (look: Look, subject: Subject): Promise<Closed | undefined> =>
  lookOr(undefined, () => observeGate(look, subject, 'volume-detach'));

async function observeVolumes(look: Look, subject: Subject): Promise<VolumesSeen> {
  const node = await observeNode(look, subject);
  if (node === undefined) return { kind: 'nothing-attached', why: 'the Node does not exist any more' };
  if (isUnreachable(node)) return observeUnreachable(look, subject, node);
  const { reading, resourceVersion } = await observeAttachments(look, node);
  if (reading.kind === 'failed') return { kind: 'unjudged', failure: reading.failure };
  if (!volumesToIgnoreMatter(reading.attached) && !mayHavePodsAgain(subject, node, look.now()))
    return nothingAttached;
  const gate = await observeGate(look, subject, 'volume-detach');
  if (gate !== undefined) return { kind: 'closed', gate };
  const found = { node, attached: reading.attached, attachmentsVersion: resourceVersion };
  return observeAttached(look, subject, found);
}

const nothingAttached: VolumesSeen = { kind: 'nothing-attached', why: 'no volume is attached' };

/** Nobody would detach its volumes: its kubelet cannot be heard. Of its Pods those that were not asked yet have to go. */
async function observeUnreachable(look: Look, subject: Subject, node: Node): Promise<VolumesSeen> {
  if (!mayHavePodsAgain(subject, node, look.now())) return { kind: 'unreachable', verdicts: [] };
  const gate = await observeGate(look, subject, 'volume-detach');
  if (gate !== undefined) return { kind: 'closed', gate };
  const context = { nodeName: node.metadata.name, unreachable: true, now: look.now() };
  const { judgement } = await observePods(look, subject, context);
  if (judgement.kind === 'failed') return { kind: 'unjudged', failure: judgement.failure };
  return { kind: 'unreachable', verdicts: judgement.verdicts };
}

/** After a long wait, or on a Node that somebody uncordoned, there may be Pods that no drain has seen. */
const mayHavePodsAgain = (subject: Subject, node: Node, now: number): boolean =>
  isDrainOpen(subject, now) &&
  (subject.checkpoint.passed.drain?.as !== 'done' ||
    node.spec?.unschedulable !== true ||
    isLate(subject, now));

type Reached = Pick<Subject, 'machine' | 'checkpoint'>;

/**
 * Whether the phase was reached so long ago that what came before it cannot be taken at its word any more. Whose clock is
 * behind what the API server has dated cannot tell how long that was.
 */
export const isLate = (subject: Reached, now: number): boolean =>
  presentAt(subject.machine, now) - now > clockToleranceMilliseconds || isLongAgo(subject, now);

/** The same by what is dated alone. */
export const isLongAgo = (subject: Reached, now: number): boolean =>
  Math.abs(presentAt(subject.machine, now) - reachedAt(subject)) > drainedLatelyMilliseconds;

/** Whose volumes to leave out is judged as in the drain, but a Pod that is on its way never counts as staying. */
async function observeAttached(
  look: Look,
  subject: Subject,
  { node, attached, attachmentsVersion }: { node: Node; attached: AttachedNames; attachmentsVersion: string },
): Promise<VolumesSeen> {
  const context = { nodeName: node.metadata.name, unreachable: false, now: look.now() };
  const { judgement } = await observePods(look, subject, context);
  if (judgement.kind === 'failed')
    return { kind: 'unjudged', failure: cannotIgnoreClaims(judgement.failure) };
  const { verdicts } = judgement;
  if (!volumesToIgnoreMatter(attached) && !mustDrainAgain(subject, verdicts, look.now()))
    return nothingAttached;
  const { items } = await look.list('workload', persistentVolumes);
  const volumes = findAttachedVolumes(attached, items, claimsToIgnore(verdicts));
  return { kind: 'attached', volumes, verdicts, node, attachmentsVersion };
}

/**
 * As the peer drains before each look at volumes, also before the last: the server goes next. So does it where the drain
 * was passed over or has timed out, once what closed it is gone.
 */
export const mustDrainAgain = (subject: Subject, verdicts: PodVerdict[], now: number): boolean =>
  isDrainOpen(subject, now) && !isDrained(planDrain(verdicts, { records: new Map() }));

/**
 * Whether the drain would be allowed now, as far as can be told without reading. That its time was over nobody takes back
 * who has another time by his clock: two of them would hand the Machine to and fro without a pause.
 */
export function isDrainOpen(subject: Omit<Subject, 'surroundings'>, now: number): boolean {
  const { machine, dialect, nodeDeletion, checkpoint } = subject;
  const { drain } = checkpoint.passed;
  if (drain === undefined || (drain.as === 'timed-out' && !isLongAgo(subject, now))) return false;
  const startedAt = phaseStart({ machine, checkpoint: { ...checkpoint, since: startAgain(drain, now) } });
  const at = Math.max(now, reachedAt(subject));
  const gate = dialect.gate('drain', machine, { startedAt, now: at, infrastructure: { kind: 'unseen' } });
  return nodeDeletion.allowed && gate.allowed;
}
