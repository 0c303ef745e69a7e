import { observeUnawaited } from '../shared/observe/node-in-use.ts';
import { type DetachSeen, observeDetach, type VolumesSeen } from '../shared/observe/volume-detach.ts';
import type { Conclusion, Decision } from '../shared/phase/decision.ts';
import { definePhase, type Subject } from '../shared/phase/definition.ts';
import { heldFor } from '../shared/phase/judge-node.ts';
import { goBack, mustDrainAgain, podsAgain, schedulableAgain } from '../shared/phase/retreat.ts';
import {
  deadlineOf,
  secondsToFirst,
  secondsToRetry,
  shownStart,
  undecided,
} from '../shared/phase/time-limit.ts';
import { isDetached } from '../shared/volumes/attached.ts';
import { attachmentRemarks, volumeMessage } from '../shared/volumes/message.ts';

const reason = 'WaitingForVolumeDetach';
const failure = 'Error waiting for volumes to be detached from Node, please check controller logs for errors';
const requeueAfterSeconds = 20;
const retrySeconds = 5;

/** Waits until the Node's volumes are detached, except those of Pods that stay. A server never goes before its disks. */
export const volumeDetach = definePhase<DetachSeen>({
  name: 'volume-detach',

  async observe(snapshot, subject) {
    const seen = await observeDetach(snapshot, subject);
    const back = await observeUnawaited(snapshot, subject, seen);
    return back === undefined ? seen : { kind: 'undrained', back };
  },

  decide(subject, seen, now) {
    if (seen.kind === 'undrained') return goBack(seen.back);
    if (seen.kind === 'closed')
      return { kind: 'advance', passing: seen.gate.passing, message: seen.gate.why };
    const { beside } = subject.dialect;
    if (beside !== undefined && (seen.kind === 'another' || seen.kind === 'unknown')) return heldFor(seen);
    if (seen.kind === 'another') return { kind: 'advance', passing: 'not-applicable', message: seen.why };
    if (seen.kind === 'unknown') return whoseUnknown(subject, seen.why, now);
    if (seen.kind === 'nothing-attached') return detached(subject, seen.why);
    if (seen.kind === 'unjudged') return failed(subject, seen.failure.message, now, requeueAfterSeconds);
    if (seen.kind === 'schedulable') return goBack(schedulableAgain);
    if (mustDrainAgain(subject, seen.verdicts, now)) return goBack(podsAgain);
    if (seen.kind === 'unreachable') return detached(subject, 'the Node is unreachable');
    if (isDetached(seen.volumes)) return detached(subject, 'only volumes of Pods that stay are attached');
    return waitForVolumes(subject, seen, now);
  },

  onUnavailable: (subject, why, now) => failed(subject, why, now, retrySeconds),
});

/** A user who excludes the Machine from its drain lets the server go whatever is on the Node. */
function whoseUnknown(subject: Subject, why: string, now: number): Conclusion {
  const { machine, dialect } = subject;
  if (dialect.isDrainExcluded(machine)) return { kind: 'advance', passing: 'not-applicable', message: why };
  return undecided(failed(subject, why, now, requeueAfterSeconds));
}

const detached = ({ machine, dialect }: Subject, message: string): Conclusion => ({
  kind: 'advance',
  passing: 'done',
  message,
  events: dialect.events(machine, { what: 'volumes-detached' }),
});

function waitForVolumes(subject: Subject, seen: VolumesSeen & { kind: 'attached' }, now: number): Decision {
  const { node, volumes, attachmentsVersion, attachments = [] } = seen;
  const remarks = attachmentRemarks(attachments);
  const startedAt = shownStart(subject, now);
  const ends = deadlineOf('volume-detach', subject, now);
  const off = {
    kind: 'volumes-detached',
    nodeName: node.metadata.name,
    attached: (node.status?.volumesAttached ?? []).map(({ name }) => name),
    nodeVersion: node.metadata.resourceVersion ?? '',
    attachmentsVersion,
  } as const;
  return {
    kind: 'wait',
    until: [off, ...ends.map((at) => ({ kind: 'time', at }) as const)],
    report: {
      reason,
      message: volumeMessage(volumes, startedAt),
      ...(remarks.length > 0 && { remarks }),
    },
    requeueAfterSeconds: secondsToFirst(ends, now, requeueAfterSeconds),
  };
}

function failed(subject: Subject, why: string, now: number, againSeconds: number): Conclusion {
  const { machine, dialect } = subject;
  const seconds = secondsToRetry('volume-detach', subject, now, againSeconds);
  return {
    kind: 'wait',
    until: [{ kind: 'time', at: now + seconds * 1_000 }],
    report: { reason, message: failure, error: why },
    requeueAfterSeconds: seconds,
    events: dialect.events(machine, { what: 'volumes-failed', why }),
  };
}
