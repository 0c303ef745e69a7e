import { dueLater, dueNow, type Prospect } from '../shared/blocked/prospect.ts';
import { dueText, prospectText } from '../shared/blocked/words.ts';
import { freedPods, podsToAttempt } from '../shared/drain/backoff.ts';
import { drainMessage } from '../shared/drain/message.ts';
import { notPermitted, unreachableRemark } from '../shared/drain/node.ts';
import { isDrained, type ObservedDrain, podsToHurry } from '../shared/drain/plan.ts';
import { type UnrecordedEviction, unrecordedEvictions } from '../shared/drain/pod-record.ts';
import { podsBack } from '../shared/drain/recreated-pods.ts';
import { drainTally } from '../shared/drain/summary.ts';
import { type Pod, uidOf } from '../shared/kubernetes/objects.ts';
import { type Report, withEvents } from '../shared/machine/report.ts';
import { type DrainSeen, type JudgedDrain, observeDrain } from '../shared/observe/drain.ts';
import type { Closed } from '../shared/observe/gate.ts';
import type { Conclusion, Decision, Effect, WaitsFor } from '../shared/phase/decision.ts';
import { definePhase, handedOnAt, type Subject } from '../shared/phase/definition.ts';
import { drainEnds, nodeGone, unreachableGraceSeconds } from '../shared/phase/drain-requeue.ts';
import { heldFor } from '../shared/phase/judge-node.ts';
import { secondsToRetry, shownStart, undecided } from '../shared/phase/time-limit.ts';

const reason = 'DrainingNode';
const failure = 'Error draining Node, please check controller logs for errors';
const drainedBefore = 'the Machine says that it has been drained';
/** The peers' attempt takes this long. It has failed if a Pod is left. */
const attemptMilliseconds = 20_000;
const requeueAfterSeconds = 20;
const retrySeconds = 5;

/** Cordons the Node and evicts its Pods, lowest order first. Done when a look finds no Pod that must go. */
export const drain = definePhase<DrainSeen>({
  name: 'drain',
  observe: observeDrain,

  decide(subject, seen, now) {
    if (seen.kind === 'closed') return passedOver(subject, seen.gate);
    const { beside } = subject.dialect;
    if (beside !== undefined && (seen.kind === 'another' || seen.kind === 'unknown')) return heldFor(seen);
    if (seen.kind === 'another') return passedOver(subject, { passing: 'not-applicable', why: seen.why });
    if (seen.kind === 'unknown') return undecided(failed(subject, seen.why, now, requeueAfterSeconds));
    if (seen.kind === 'no-node') return drained(subject, 'the Node does not exist any more', true);
    if (seen.kind === 'drained') return drained(subject, 'no Pod that must go is left on the Node');
    if (seen.kind === 'drained-before') return { kind: 'advance', passing: 'done', message: drainedBefore };
    if (seen.kind === 'schedulable') return cordon(subject, seen);
    if (seen.kind === 'unread') return cordonUnread(seen);
    if (seen.kind === 'not-permitted') return waitForOther(subject, seen);
    if (seen.kind === 'unjudged') return failed(subject, seen.failure.message, now, requeueAfterSeconds);
    if (isDrained(seen.plan)) return drained(subject, 'no Pod that must go is left on the Node');
    return { ...stepWithPods(subject, seen, now), ...unrecorded(subject, seen) };
  },

  onUnavailable: (subject, why, now) => failed(subject, withSubject(subject, why), now, retrySeconds),
});

/** These messages name themselves what failed. */
const sentences = ['failed to cordon Node', 'unable to get node', 'unable to get Node', notPermitted];

const withSubject = ({ machine }: Subject, why: string): string =>
  machine.nodeName === undefined || sentences.some((sentence) => why.startsWith(sentence))
    ? why
    : `failed to drain Node ${machine.nodeName}: ${why}`;

function passedOver({ machine, dialect }: Subject, { passing, why }: Omit<Closed, 'allowed'>): Conclusion {
  const events = passing === 'timed-out' ? [] : dialect.events(machine, { what: 'drain-skipped' });
  return { kind: 'advance', passing, message: why, ...withEvents(events) };
}

const drained = ({ machine, dialect }: Subject, message: string, isNodeGone = false): Conclusion => ({
  kind: 'advance',
  passing: 'done',
  message,
  events: dialect.events(machine, { what: 'drained', isNodeGone }),
});

const cordon = (
  { machine, dialect }: Subject,
  { name, uid, isExclusive }: DrainSeen & { kind: 'schedulable' },
): Decision => ({
  kind: 'act',
  effects: [
    {
      kind: 'cordon',
      node: name,
      uid,
      ...(isExclusive ? { exclusive: { namespace: machine.ref.namespace } } : {}),
    },
  ],
  report: cordoning(name),
  ...withEvents(dialect.events(machine, { what: 'drain-begun' })),
});

const cordonUnread = ({ name: node, proof }: DrainSeen & { kind: 'unread' }): Decision => ({
  kind: 'act',
  effects: [{ kind: 'cordon', node, proof }],
  report: cordoning(node),
});

const cordoning = (name: string): Report => ({ reason, message: `Cordoning Node ${name}` });

/** Pods are evicted first. Only what is still refused then may be helped by what a DrainPolicy allows. */
function stepWithPods(subject: Subject, seen: JudgedDrain, now: number): Decision & { kind: 'act' | 'wait' } {
  const pods = podsToEvict(subject, seen, now);
  if (pods.length > 0) return evict(seen, pods);
  const due = dueNow(seen.blocked);
  return due.length > 0 ? unblock(seen, due) : waitForPods(subject, seen, now);
}

/** One round of evictions per look. Only a new look shows what a budget still allows. */
function podsToEvict({ dialect }: Subject, seen: ObservedDrain, now: number): Pod[] {
  const { plan, unreachable, records, budgets, answers } = seen;
  if (answers.size > 0) return [];
  const hurries = unreachable && dialect.drain.hurriesPodsOfUnreachableNodes;
  const hurried = hurries ? podsToHurry(plan, unreachableGraceSeconds, now) : [];
  return [...podsToAttempt(plan.evictNow, { records, budgets, answers, now }), ...hurried];
}

/** Evictions that a killed instance did not record. */
function unrecorded(
  subject: Subject,
  { plan, remembered }: ObservedDrain,
): { unrecorded?: UnrecordedEviction[] } {
  const found = unrecordedEvictions(plan.terminating, { records: remembered, since: handedOnAt(subject) });
  return found.length === 0 ? {} : { unrecorded: found };
}

function evict(seen: ObservedDrain, pods: Pod[]): Decision & { kind: 'act' } {
  const { unreachable, plan } = seen;
  const free = freedPods(pods, seen);
  const grace = unreachable ? { gracePeriodSeconds: unreachableGraceSeconds } : {};
  const evictions = pods.map((pod) => ({ pod, ...grace }));
  const all = new Set([...plan.evictNow, ...pods]).size;
  const message = `Evicting ${pods.length} of ${all} Pods of order ${plan.order}`;
  const report = { reason, message } as const;
  const effect: Effect = { kind: 'evict', evictions, ...(free.length > 0 && { free }) };
  return { kind: 'act', effects: [effect], report, drain: drainTally(seen) };
}

function unblock(seen: JudgedDrain, due: Prospect[]): Decision & { kind: 'act' } {
  const message = due.map(dueText).join('; ');
  return {
    kind: 'act',
    effects: [{ kind: 'unblock', prospects: due }],
    report: { reason, message },
    drain: drainTally(seen),
  };
}

function waitForPods(subject: Subject, seen: JudgedDrain, now: number): Decision & { kind: 'wait' } {
  const startedAt = shownStart(subject, now);
  const notes = seen.blocked.map(prospectText);
  const message = drainMessage({ ...seen, startedAt, back: podsBack(seen), notes });
  const { until, requeueAfterSeconds: seconds } = drainEnds(subject, seen, now, dueLater(seen.blocked));
  const ends = isRefused(seen) || isKept(seen) ? [...until, nodeGone(seen)] : until;
  const wait = { kind: 'wait', until: ends, requeueAfterSeconds: seconds, drain: drainTally(seen) } as const;
  const report = {
    reason,
    message,
    ...(seen.unreachable && { remarks: [unreachableRemark(seen.node)] }),
  } as const;
  if (!isRefused(seen) && now - startedAt < attemptMilliseconds) return { ...wait, report };
  const events = subject.dialect.events(subject.machine, { what: 'drain-pending', why: message });
  return { ...wait, report: { ...report, isHeldUp: true }, ...withEvents(events) };
}

/** Whether a finalizer may keep a Pod that terminates, or that was just evicted. */
const isKept = ({ plan }: ObservedDrain): boolean =>
  [...plan.terminating, ...plan.evictNow].some(({ metadata }) => (metadata.finalizers ?? []).length > 0);

/** Whether an answer, now or before, refuses a Pod of this batch. Our own lack of time is no answer. */
const isRefused = ({ plan, answers, records }: ObservedDrain): boolean =>
  plan.evictNow.some((pod) => {
    const answer = answers.get(uidOf(pod));
    const cause = answer?.kind === 'refused' ? answer.cause : records.get(uidOf(pod))?.lastRefusal?.cause;
    return cause !== undefined && cause !== 'NotAttempted' && answer?.kind !== 'accepted';
  });

/** Two draining control plane Nodes would each wait for the other's budgets, and break the quorum. */
function waitForOther(subject: Subject, { name, other }: DrainSeen & { kind: 'not-permitted' }): Conclusion {
  const { name: otherName, uid = '', resourceVersion = '' } = other.metadata;
  const message = `Node ${name} is not cordoned while Node ${otherName}, of the control plane too, is cordoned`;
  const freed: WaitsFor = { kind: 'node-freed', name: otherName, uid, resourceVersion };
  const wait = unsuccessful(subject, notPermitted, freed, requeueAfterSeconds);
  return { ...wait, report: { reason, message, error: notPermitted } };
}

function failed(subject: Subject, why: string, now: number, againSeconds: number): Conclusion {
  const seconds = secondsToRetry('drain', subject, now, againSeconds);
  return unsuccessful(subject, why, { kind: 'time', at: now + seconds * 1_000 }, seconds);
}

const unsuccessful = (
  { machine, dialect }: Subject,
  why: string,
  until: WaitsFor,
  seconds: number,
): Conclusion & { kind: 'wait' } => ({
  kind: 'wait',
  until: [until],
  report: { reason, message: failure, error: why },
  requeueAfterSeconds: seconds,
  ...withEvents(dialect.events(machine, { what: 'drain-failed', why })),
});
