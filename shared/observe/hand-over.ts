import { isDrained, planDrain } from '../drain/plan.ts';
import type { PodVerdict } from '../drain/verdict.ts';
import { readOr } from '../kubernetes/errors.ts';
import { isFinished } from '../kubernetes/objects.ts';
import type { Subject } from '../phase/definition.ts';
import { hasSeenOwn } from '../phase/own-node.ts';
import { drainIsTrusted, podsAgain, type StepBack, schedulableAgain } from '../phase/retreat.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import { type OwnNode, observeDrainedNode } from './node.ts';
import { observeInUse, observeVerdicts } from './node-in-use.ts';
import { observeReferred } from './owned-object.ts';
import { observeAgain } from './recheck.ts';

/** What is seen before our hook goes. */
export type HandOverSeen =
  /** The Node that it names is not proven to be its own. */
  | { kind: 'held'; ownership: NotOwn }
  /** The API's own controller does not drain, or is past that. */
  | { kind: 'let-go'; why: string }
  /** The Machine says already that its drain is done: the API's own controller goes on, our hook or not. */
  | { kind: 'marked' }
  | { kind: 'unprepared'; back: StepBack }
  /** `hasLeft`: Pods that rules or labels let stay are left. The API's own controller would wait for them, or evict them. */
  | { kind: 'prepared'; hasLeft: boolean };

/**
 * Looks whether the Node is still as the drain and the wait for volumes have left it. Nothing is read where the API's own
 * controller does no drain, or does its own. Throws Unavailable.
 */
export async function observeHandOver(snapshot: Snapshot, subject: Subject): Promise<HandOverSeen> {
  const { checkpoint, nodeDeletion, machine, dialect } = subject;
  // No Node is deleted then either.
  if (!nodeDeletion.allowed) return { kind: 'let-go', why: nodeDeletion.why };
  const isPassedOver = dialect.beside?.isPassedOver(machine) === true;
  const ownership = await observeNamed(snapshot, subject, isPassedOver);
  if (ownership !== undefined && !isPassedOver) return { kind: 'held', ownership };
  if (checkpoint.released !== undefined) return { kind: 'let-go', why: 'it was let go before' };
  if (dialect.isDone(machine, 'drain')) return { kind: 'marked' };
  if (dialect.termination.by === 'actuator') return observeNode(snapshot, subject);
  return observeServer(snapshot, subject);
}

async function observeServer(snapshot: Snapshot, subject: Subject): Promise<HandOverSeen> {
  const { checkpoint, machine } = subject;
  // Where Pods are looked at in any case, a server that goes changes nothing.
  const isDrainedNow = checkpoint.passed.drain?.as === 'done' && drainIsTrusted(subject, snapshot.now());
  if (isDrainedNow) return observeLeft(snapshot, subject);
  const seen = await observeReferred(snapshot, machine, 'infrastructure');
  if (seen.kind !== 'present' || seen.object.metadata.deletionTimestamp !== undefined)
    return { kind: 'let-go', why: 'its infrastructure is gone or going' };
  const back = await observeAgain(snapshot, subject, seen);
  if (back !== undefined) return { kind: 'unprepared', back };
  return checkpoint.passed.drain?.as === 'done' ? observeLeft(snapshot, subject) : nothingLeft;
}

type NotOwn = Exclude<OwnNode, { kind: 'own' | 'none' }>;

/**
 * The Node that the Machine names, where that is not proven to be its own. One that cannot be read holds nothing up where our
 * hook holds nothing. The same counts where the Machine's own was seen before.
 */
async function observeNamed(
  snapshot: Snapshot,
  subject: Subject,
  isPassedOver: boolean,
): Promise<NotOwn | undefined> {
  const look = (): Promise<OwnNode> => observeDrainedNode(snapshot, subject);
  const isFree = isPassedOver || hasSeenOwn(subject.checkpoint);
  const own = isFree ? await readOr<OwnNode>({ kind: 'none' }, look) : await look();
  return own.kind === 'own' || own.kind === 'none' ? undefined : own;
}

const nothingLeft: HandOverSeen = { kind: 'prepared', hasLeft: false };

/** Where no infrastructure object tells whether the server is going: the Machine has said above how far it is. */
async function observeNode(snapshot: Snapshot, subject: Subject): Promise<HandOverSeen> {
  const isOld =
    !drainIsTrusted(subject, snapshot.now()) || subject.checkpoint.passed.drain?.as === 'excluded';
  const back = isOld ? await observeInUse(snapshot, subject) : undefined;
  if (back !== undefined) return { kind: 'unprepared', back };
  return subject.checkpoint.passed.drain?.as === 'done' ? observeLeft(snapshot, subject) : nothingLeft;
}

async function observeLeft(snapshot: Snapshot, subject: Subject): Promise<HandOverSeen> {
  const own = await observeDrainedNode(snapshot, subject);
  if (own.kind !== 'own') return nothingLeft;
  const verdicts = await observeVerdicts(snapshot, subject, own.node);
  if (!isDrained(planDrain(verdicts, { records: new Map() }))) return { kind: 'unprepared', back: podsAgain };
  const hasLeft = isMarked(subject) ? isLeftToOpenShift(verdicts) : verdicts.some(isCompleted);
  // The API's own controller would not cordon it then, and Pods would come.
  if (hasLeft && own.node.spec?.unschedulable !== true) return { kind: 'unprepared', back: schedulableAgain };
  return { kind: 'prepared', hasLeft };
}

const isMarked = ({ dialect }: Subject): boolean => dialect.beside?.skipPeerDrain.by === 'mark';

/** Cluster API's own controller waits for such a Pod until its object is gone. */
const isCompleted = ({ pod, behavior }: PodVerdict): boolean =>
  behavior === 'WaitCompleted' && isFinished(pod);

/** OpenShift's knows neither labels nor rules. It must evict phaseout's own Pods, so the others too. */
const isLeftToOpenShift = (verdicts: readonly PodVerdict[]): boolean =>
  verdicts.some((verdict) => verdict.stays === 'by-wish' || isCompleted(verdict)) &&
  !verdicts.some(({ stays }) => stays === 'as-ours');
