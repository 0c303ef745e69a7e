import { isDrained, planDrain } from '../drain/plan.ts';
import type { PodVerdict } from '../drain/verdict.ts';
import type { Unavailable } from '../kubernetes/errors.ts';
import type { Node } from '../kubernetes/objects.ts';
import { isLimited } from '../machine/machine.ts';
import { presentAt } from '../machine/timestamps.ts';
import { clockToleranceMilliseconds, type Instant } from '../time/clock.ts';
import type { Move } from './decision.ts';
import { phaseStart, reachedAt, type Subject } from './definition.ts';
import { startAgain } from './transitions.ts';

/**
 * Trust a drain this young. Pods rarely reach a cordoned Node. A drain that ends in the future, by a clock that was set back,
 * has an unknown age.
 */
const drainedLatelyMilliseconds = 5_000;

type Reached = Pick<Subject, 'machine' | 'checkpoint'>;

/**
 * Whether the drain before this phase is trusted: the phase was reached no more than five seconds ago.
 * @param clockError milliseconds by which clocks may differ. Then only time that has surely passed counts. A start in
 * the future, or one that was reset from there, is young. Without it the age must be known. A clock behind the API
 * server's dates cannot tell the age, so the drain is not trusted.
 */
export function drainIsTrusted(subject: Reached, now: Instant, clockError?: number): boolean {
  if (clockError !== undefined) return knownSince(subject, now) <= drainedLatelyMilliseconds + clockError;
  const present = presentAt(subject.machine, now);
  const isBehind = present - now > clockToleranceMilliseconds;
  return !isBehind && Math.abs(present - reachedAt(subject)) <= drainedLatelyMilliseconds;
}

/** A phase without a time limit has a second time beside its start only if the start was reset. */
function knownSince({ machine, checkpoint }: Reached, now: Instant): number {
  const at = isLimited(checkpoint.phase) ? reachedAt({ checkpoint }) : Date.parse(checkpoint.since);
  return presentAt(machine, now) - at;
}

/** Our time, or the time at which the phase was handed on, if later. A limit that was over then stays over. */
export const nowOrReached = (subject: Pick<Subject, 'checkpoint'>, now: Instant): Instant =>
  Math.max(now, reachedAt(subject));

/**
 * The peer drains before each look at volumes, also before the last: the server goes next. It also drains if the
 * drain was skipped or timed out, once that cause is gone.
 */
export const mustDrainAgain = (subject: Subject, verdicts: PodVerdict[], now: Instant): boolean =>
  isDrainOpen(subject, now) && !isDrained(planDrain(verdicts, { records: new Map() }));

/**
 * Whether the drain would be allowed now, judged without a read. An instance with another clock does not take a
 * time-out back. Otherwise two of them would hand the Machine to and fro without a pause.
 */
export function isDrainOpen(subject: Omit<Subject, 'surroundings'>, now: Instant): boolean {
  const { machine, dialect, nodeDeletion, checkpoint } = subject;
  const { drain } = checkpoint.passed;
  if (drain === undefined || (drain.as === 'timed-out' && drainIsTrusted(subject, now, 0))) return false;
  const at = nowOrReached(subject, now);
  const startedAt = phaseStart({ machine, checkpoint: { ...checkpoint, since: startAgain(drain, at) } });
  const gate = dialect.gate('drain', machine, { startedAt, now: at, infrastructure: { kind: 'unseen' } });
  return nodeDeletion.allowed && gate.allowed;
}

/**
 * Whether Pods may be scheduled onto the Node again. They would go with its server, which takes its time to go. The
 * peer cordons the Node before each pass. A user who uncordons it at once causes one retreat. The next one comes no
 * sooner than some time later, by any clock.
 */
export const mustCordonAgain = (subject: Subject, { spec }: Node, now: Instant): boolean =>
  spec?.unschedulable !== true &&
  isDrainOpen(subject, now) &&
  (subject.checkpoint.passed['volume-detach'] === undefined ||
    !drainIsTrusted(subject, now, clockToleranceMilliseconds));

/**
 * Whether a Node that is empty may stay uncordoned while it is reachable. Cluster API's own controller cordons and drains
 * it once more. A Pod that comes meanwhile is left to that drain. A Node of the control plane is cordoned all the same.
 */
export const isCordonedByPeer = ({ machine, dialect }: Pick<Subject, 'machine' | 'dialect'>): boolean =>
  dialect.beside?.cordonsAgain === true && !machine.isControlPlane;

/** The phase that the deletion must go back to before the server goes, and why. */
export interface StepBack {
  to: 'drain' | 'volume-detach';
  why: string;
}

/** The decision to go back. */
export const goBack = ({ to, why }: StepBack): Move => ({ kind: 'retreat', to, message: why });

/** Back to the drain: Pods came to the Node. */
export const podsAgain: StepBack = { to: 'drain', why: 'Pods that must go have appeared on the Node again' };

/** Back to the drain: the Node was uncordoned. */
export const schedulableAgain: StepBack = { to: 'drain', why: 'Pods may be scheduled onto the Node again' };

/** Back to the wait for volumes: some were attached. */
export const volumesAgain: StepBack = {
  to: 'volume-detach',
  why: 'volumes have been attached to the Node again',
};

/** Back to the phase that reports what could not be read. */
export const unknownAgain = (to: StepBack['to'], error: Unavailable): StepBack => ({
  to,
  why: unknownNow(error.message),
});

/** The same message whatever could not be read. */
export const unknownNow = (why: string): string => `what is on the Node now is unknown: ${why}`;
