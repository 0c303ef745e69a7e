import type { NodeDeletion } from '../dialects/gate.ts';
import { readOr, Unavailable } from '../kubernetes/errors.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Subject } from '../phase/definition.ts';
import { notAskedToGo, type ReferredSeen } from '../phase/owned-object.ts';
import { drainIsTrusted, isDrainOpen, type StepBack, unknownAgain, volumesAgain } from '../phase/retreat.ts';
import { type FoundNode, type Snapshot, withFoundNode } from '../phase/snapshot.ts';
import { retreated } from '../phase/transitions.ts';
import { clockToleranceMilliseconds, type Instant } from '../time/clock.ts';
import { isDetached } from '../volumes/attached.ts';
import { unreadGate } from './gate.ts';
import { observeInUse } from './node-in-use.ts';
import { observeReferred } from './owned-object.ts';
import { observeDetach } from './volume-detach.ts';

/**
 * What keeps the server from being deleted may last, and its Node may be used meanwhile. The peer goes through all of it in
 * each pass. So trust the drain and the wait for volumes for a short time only. After a wait for pre-terminate hooks the Node
 * stays as their owners left it. Where the state is unknown, go back to the phase that says what is wrong. A time limit may
 * end that phase. If the Machine was handed on just now, try here first: it would be handed on at once again. Throws
 * Unavailable then, and where it is unknown whether the Node may be touched.
 */
export async function observeAgain(
  snapshot: Snapshot,
  subject: Subject,
  seen: ReferredSeen,
): Promise<StepBack | undefined> {
  if (!isToBeDeleted(seen)) return undefined;
  if (drainIsTrusted(subject, snapshot.now()) && !isExcludedNoMore(subject)) return undefined;
  if (subject.checkpoint.passed['pre-terminate']?.as === 'done') return undefined;
  const nodeDeletion = await mayTouchNode(snapshot, subject).catch(notAskedToGo);
  const earlier = { ...subject, nodeDeletion, checkpoint: stillReached(subject, snapshot.now()) };
  // Who may do nothing on the Node need not find it.
  if (!isAnyOpen(snapshot, earlier)) return undefined;
  try {
    return await observeEarlier(snapshot, subject, earlier);
  } catch (error) {
    if (
      !(error instanceof Unavailable) ||
      drainIsTrusted(subject, snapshot.now(), clockToleranceMilliseconds)
    )
      return notAskedToGo(error);
    return unknownAgain(isDrainOpen(earlier, snapshot.now()) ? 'drain' : 'volume-detach', error);
  }
}

/** There is no earlier result to trust: nothing was drained, or waited for. */
const isExcludedNoMore = ({ machine, dialect, checkpoint: { passed } }: Subject): boolean =>
  (passed.drain?.as === 'excluded' && !dialect.isDrainExcluded(machine)) ||
  (passed['volume-detach']?.as === 'excluded' && !dialect.isVolumeWaitExcluded(machine));

async function observeEarlier(
  snapshot: Snapshot,
  subject: Subject,
  earlier: Subject,
): Promise<StepBack | undefined> {
  const again = withFoundNode(earlier, await snapshot.nodeFinder.find());
  const back = await observeInUse(snapshot, again);
  if (back !== undefined) return back;
  return hasJustTimedOut(subject, snapshot.now()) ? undefined : observeVolumesAgain(snapshot, again);
}

/** Whether the drain or the wait for volumes would be allowed now, as far as can be told without reading. */
const isAnyOpen = (snapshot: Snapshot, subject: Subject): boolean =>
  isDrainOpen(subject, snapshot.now()) || unreadGate(snapshot, subject, 'volume-detach') === undefined;

/** As for the drain, an instance with another clock does not take a time-out back. */
const hasJustTimedOut = (subject: Subject, now: Instant): boolean =>
  subject.checkpoint.passed['volume-detach']?.as === 'timed-out' && drainIsTrusted(subject, now, 0);

/**
 * The same where pre-terminate hooks went without a wait: the Machine was paused, say, or another hook held it. The next
 * phase begins now and could not tell how long that took.
 */
export async function observeUnheld(snapshot: Snapshot, subject: Subject): Promise<StepBack | undefined> {
  const { machine, dialect } = subject;
  if (dialect.hasWaitedForHooks(machine) || drainIsTrusted(subject, snapshot.now())) return undefined;
  return observeAgain(snapshot, subject, await observeReferred(snapshot, machine, 'infrastructure'));
}

/** As it stood at the wait for volumes. How far it has come since is still known, and that this wait was passed. */
function stillReached({ checkpoint }: Subject, now: Instant): Checkpoint {
  const { since, reached = since, passed } = checkpoint;
  const earlier = retreated(checkpoint, 'volume-detach', now);
  const awaited = passed['volume-detach'];
  return {
    ...earlier,
    reached,
    passed: { ...earlier.passed, ...(awaited === undefined ? {} : { 'volume-detach': awaited }) },
  };
}

/**
 * A Node that was drained is there until somebody has looked, also where the Machine does not name it. Where none was ever
 * seen, there is none for who cannot look, as in the peer.
 */
async function mayTouchNode(snapshot: Snapshot, { machine, checkpoint }: Subject): Promise<NodeDeletion> {
  const known = machine.nodeName ?? checkpoint.node;
  if (known !== undefined) return snapshot.nodeDeletion(true);
  const found = await readOr<FoundNode>({ kind: 'none' }, () => snapshot.nodeFinder.find());
  return snapshot.nodeDeletion(found.kind !== 'none');
}

const isToBeDeleted = (seen: ReferredSeen): boolean =>
  seen.kind === 'present' && seen.object.metadata.deletionTimestamp === undefined;

/** As it would be at the wait for volumes, which the Machine may be excluded from. */
async function observeVolumesAgain(snapshot: Snapshot, subject: Subject): Promise<StepBack | undefined> {
  const seen = await observeDetach(snapshot, subject);
  if (seen.kind === 'unjudged') throw new Unavailable(seen.failure.message);
  if (seen.kind !== 'attached' || isDetached(seen.volumes)) return undefined;
  return volumesAgain;
}
