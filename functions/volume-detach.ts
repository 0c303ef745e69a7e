import type { Conclusion, Decision } from '../shared/decision.ts';
import { isDrained, planDrain } from '../shared/drain/plan.ts';
import type { PodVerdict, VerdictFailure } from '../shared/drain/verdict.ts';
import type { Node } from '../shared/kubernetes/objects.ts';
import { persistentVolumes } from '../shared/kubernetes/port.ts';
import { isUnreachable } from '../shared/kubernetes/node.ts';
import { type Closed, observeGate, unreadGate } from '../shared/observe-gate.ts';
import { observeNode } from '../shared/observe-node.ts';
import { observePods } from '../shared/observe-pods.ts';
import { observeAttachments } from '../shared/observe-volumes.ts';
import { definePhase, phaseStart, type Subject } from '../shared/phase-definition.ts';
import type { Look } from '../shared/runtime/look.ts';
import {
  type AttachedNames,
  type AttachedVolumes,
  cannotIgnoreClaims,
  claimsToIgnore,
  findAttachedVolumes,
  isDetached,
  volumesToIgnoreMatter,
} from '../shared/volumes/attached.ts';
import { volumeMessage } from '../shared/volumes/message.ts';

type VolumesSeen =
  | { kind: 'closed'; gate: Closed }
  | { kind: 'nothing-attached'; why: string }
  | { kind: 'unjudged'; failure: VerdictFailure }
  | {
      kind: 'attached';
      volumes: AttachedVolumes;
      verdicts: PodVerdict[];
      node: Node;
      attachmentsVersion: string;
    };

const reason = 'WaitingForVolumeDetach';
const failure = 'Error waiting for volumes to be detached from Node, please check controller logs for errors';
const lookAgainSeconds = 20;
const retrySeconds = 5;
/** A drain that ended no longer ago than this is taken at its word: what comes to a cordoned Node comes slowly. */
const drainedLatelyMilliseconds = 5_000;

/** Waits until the Node's volumes are off, except those of Pods that stay. A server never goes before its disks. */
export const volumeDetach = definePhase<VolumesSeen>({
  name: 'volume-detach',

  async observe(look, subject) {
    // The rest of the gate costs a request and is asked when something is attached, or the drain met it closed.
    const isLikelyClosed = subject.checkpoint.passed.drain?.as === 'not-applicable';
    const early = isLikelyClosed
      ? await observeGate(look, subject, 'volume-detach')
      : unreadGate(look, subject, 'volume-detach');
    if (early !== undefined) return { kind: 'closed', gate: early };
    const node = await observeNode(look, subject);
    if (node === undefined) return { kind: 'nothing-attached', why: 'the Node does not exist any more' };
    // Nobody would detach them: the Node's kubelet cannot be heard.
    if (isUnreachable(node)) return { kind: 'nothing-attached', why: 'the Node is unreachable' };
    const { reading, resourceVersion } = await observeAttachments(look, node);
    if (reading.kind === 'failed') return { kind: 'unjudged', failure: reading.failure };
    if (!volumesToIgnoreMatter(reading.attached) && !mayHavePodsAgain(subject, node, look.now()))
      return nothingAttached;
    const gate = await observeGate(look, subject, 'volume-detach');
    if (gate !== undefined) return { kind: 'closed', gate };
    return observeAttached(look, subject, {
      node,
      attached: reading.attached,
      attachmentsVersion: resourceVersion,
    });
  },

  decide(subject, seen, now) {
    if (seen.kind === 'closed')
      return { kind: 'advance', passing: seen.gate.passing, message: seen.gate.why };
    if (seen.kind === 'nothing-attached') return detached(subject, seen.why);
    if (seen.kind === 'unjudged') return failed(subject, seen.failure.message, now, lookAgainSeconds);
    if (mustDrainAgain(subject, seen.verdicts)) {
      return { kind: 'retreat', to: 'drain', message: 'Pods that must go have appeared on the Node again' };
    }
    if (isDetached(seen.volumes)) return detached(subject, 'only volumes of Pods that stay are attached');
    return waitForVolumes(subject, seen, now);
  },

  blind: (subject, why, now) => failed(subject, why, now, retrySeconds),
});

const nothingAttached: VolumesSeen = { kind: 'nothing-attached', why: 'no volume is attached' };

/** After a long wait, or on a Node that somebody uncordoned, there may be Pods that no drain has seen. */
const mayHavePodsAgain = (subject: Subject, node: Node, now: number): boolean =>
  isReallyDrained(subject) &&
  (node.spec?.unschedulable !== true || now - phaseStart(subject) > drainedLatelyMilliseconds);

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
  if (!volumesToIgnoreMatter(attached) && !mustDrainAgain(subject, verdicts)) return nothingAttached;
  const { items } = await look.list('workload', persistentVolumes);
  const volumes = findAttachedVolumes(attached, items, claimsToIgnore(verdicts));
  return { kind: 'attached', volumes, verdicts, node, attachmentsVersion };
}

/** Only such a drain is taken up again: one that timed out or is excluded stays passed. */
const isReallyDrained = ({ checkpoint }: Subject): boolean => checkpoint.passed.drain?.as === 'done';

/** As the peer drains before each look at volumes, also before the last: the server goes next. */
const mustDrainAgain = (subject: Subject, verdicts: PodVerdict[]): boolean =>
  isReallyDrained(subject) && !isDrained(planDrain(verdicts, { records: new Map() }));

const detached = ({ machine, dialect }: Subject, message: string): Conclusion => ({
  kind: 'advance',
  passing: 'done',
  message,
  facts: dialect.events(machine, { what: 'volumes-detached' }),
});

function waitForVolumes(subject: Subject, seen: VolumesSeen & { kind: 'attached' }, now: number): Decision {
  const { node, volumes, attachmentsVersion } = seen;
  const startedAt = phaseStart(subject);
  const seconds = subject.machine.volumeDetachTimeoutSeconds ?? 0;
  const ends = seconds > 0 ? [{ kind: 'time', at: startedAt + seconds * 1_000 } as const] : [];
  const off = {
    kind: 'volumes-detached',
    nodeName: node.metadata.name,
    attached: (node.status?.volumesAttached ?? []).map(({ name }) => name),
    nodeVersion: node.metadata.resourceVersion ?? '',
    attachmentsVersion,
  } as const;
  const again = ends.map(({ at }) => Math.max(1, Math.ceil((at - now) / 1_000)));
  return {
    kind: 'wait',
    until: [off, ...ends],
    report: { reason, message: volumeMessage(volumes, startedAt) },
    lookAgainSeconds: Math.min(lookAgainSeconds, ...again),
  };
}

function failed({ machine, dialect }: Subject, why: string, now: number, againSeconds: number): Conclusion {
  return {
    kind: 'wait',
    until: [{ kind: 'time', at: now + againSeconds * 1_000 }],
    report: { reason, message: failure, error: why },
    lookAgainSeconds: againSeconds,
    facts: dialect.events(machine, { what: 'volumes-failed', why }),
  };
}
