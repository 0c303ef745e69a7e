import type { Conclusion, Decision, Until } from '../shared/decision.ts';
import { podsToAttempt } from '../shared/drain/attempts.ts';
import { budgetKey } from '../shared/drain/budget.ts';
import { drainMessage } from '../shared/drain/message.ts';
import { isDrained } from '../shared/drain/plan.ts';
import { hasReturned } from '../shared/drain/returned.ts';
import { telling } from '../shared/machine/event-fact.ts';
import { uidOf } from '../shared/kubernetes/pod.ts';
import type { Pod } from '../shared/kubernetes/objects.ts';
import { type Closed, type DrainSeen, type DrainStanding, observeDrain } from '../shared/observe-drain.ts';
import { definePhase, phaseStart, type Subject } from '../shared/phase-definition.ts';

const reason = 'DrainingNode';
const failure = 'Error draining Node, please check controller logs for errors';
/** Evictions from a Node nobody hears from do not wait for Pods to stop. */
const unreachableGraceSeconds = 1;
/** After the end of its grace period, when the filter of deleted Pods no longer counts it. */
const leftBehindMilliseconds = 2_000;
const lookAgainSeconds = 20;
const retrySeconds = 5;

/** Cordons the Node and evicts its Pods, lowest order first; done when a look finds none that must go. */
export const drain = definePhase<DrainSeen>({
  name: 'drain',
  observe: observeDrain,

  decide(subject, seen, now) {
    if (seen.kind === 'closed') return passedOver(subject, seen.gate);
    if (seen.kind === 'no-node') return drained(subject, 'the Node does not exist any more', true);
    if (seen.kind === 'drained') return drained(subject, 'no Pod that must go is left on the Node');
    if (seen.kind === 'schedulable') return cordon(subject, seen);
    if (seen.kind === 'unjudged') return failed(subject, seen.failure.message, now, lookAgainSeconds);
    if (isDrained(seen.plan)) return drained(subject, 'no Pod that must go is left on the Node');
    const pods = podsToEvict(seen, now);
    return pods.length > 0 ? evict(seen, pods) : waitForPods(subject, seen, now);
  },

  blind: (subject, why, now) => failed(subject, withSubject(subject, why), now, retrySeconds),
});

/** A cordon that failed says itself what failed. */
const withSubject = ({ machine }: Subject, why: string): string =>
  why.startsWith('failed to cordon Node') ? why : `failed to drain Node ${machine.nodeName}: ${why}`;

function passedOver({ machine, dialect }: Subject, { passing, why }: Closed): Conclusion {
  const facts = passing === 'timed-out' ? [] : dialect.events(machine, { what: 'drain-skipped' });
  return { kind: 'advance', passing, message: why, ...telling(facts) };
}

const drained = ({ machine, dialect }: Subject, message: string, isNodeGone = false): Conclusion => ({
  kind: 'advance',
  passing: 'done',
  message,
  facts: dialect.events(machine, { what: 'drained', isNodeGone }),
});

const cordon = (
  { machine, dialect }: Subject,
  { name, uid }: DrainSeen & { kind: 'schedulable' },
): Decision => ({
  kind: 'act',
  effects: [{ kind: 'cordon', node: name, uid }],
  report: { reason, message: `Cordoning Node ${name}` },
  ...telling(dialect.events(machine, { what: 'drain-begun' })),
});

/** One round of evictions a look: what a budget still allows is known only from a new look. */
const podsToEvict = ({ plan, records, budgets, answers }: DrainStanding, now: number): Pod[] =>
  answers.size > 0 ? [] : podsToAttempt(plan.evictNow, { records, budgets, answers, now });

function evict({ unreachable, plan }: DrainStanding, pods: Pod[]): Decision {
  const grace = unreachable ? { gracePeriodSeconds: unreachableGraceSeconds } : {};
  const evictions = pods.map((pod) => ({ pod, ...grace }));
  const message = `Evicting ${pods.length} of ${plan.evictNow.length} Pods of order ${plan.order}`;
  return { kind: 'act', effects: [{ kind: 'evict', evictions }], report: { reason, message } };
}

function waitForPods(subject: Subject, seen: DrainStanding, now: number): Conclusion {
  const startedAt = phaseStart(subject);
  const message = drainMessage({ ...seen, startedAt });
  const until = [...podsGone(seen), ...budgetsFree(seen), ...times(subject, seen, now)];
  const ends = [...deadline(subject), ...leftBehind(seen, now)];
  const facts = subject.dialect.events(subject.machine, { what: 'drain-pending', why: message });
  return {
    kind: 'wait',
    until,
    report: { reason, message },
    lookAgainSeconds: sooner(ends, now),
    ...telling(facts),
  };
}

/** The Pods that are on their way or waited for: when all are gone the next look finds something to do. */
function podsGone({ plan, node, resourceVersion, answers, remembered }: DrainStanding): Until[] {
  const evicted = plan.evictNow.filter((pod) => answers.get(uidOf(pod))?.kind === 'accepted');
  const leaving = [...plan.terminating, ...evicted, ...plan.waitNow];
  const uids = leaving.filter((pod) => !hasReturned(pod, remembered)).map(uidOf);
  if (uids.length === 0) return [];
  return [{ kind: 'pods-gone', nodeName: node.metadata.name, uids, resourceVersion }];
}

const budgetsFree = ({ budgets }: DrainStanding): Until[] =>
  [...budgets.values()].map(({ metadata }) => ({
    kind: 'budget-frees',
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    resourceVersion: metadata.resourceVersion ?? '',
  }));

/** The end of the soonest back-off, and of the drain's own time. */
function times(subject: Subject, seen: DrainStanding, now: number): Until[] {
  const attempts = seen.plan.evictNow.map((pod) => nextAttemptAt(pod, seen, now));
  const ends = [...attempts, ...deadline(subject), ...leftBehind(seen, now)];
  return ends.length === 0 ? [] : [{ kind: 'time', at: Math.min(...ends) }];
}

/** Of the Pods of one budget only one is tried while it is closed: its answer speaks for all of them. */
function nextAttemptAt(pod: Pod, { plan, records, answers, budgets }: DrainStanding, now: number): number {
  const answer = answers.get(uidOf(pod));
  // Our own lack of time, and Pods that appeared meanwhile, are no reason for a pause.
  if (answer?.kind === 'refused' && answer.cause === 'NotAttempted') return now;
  const key = refusingBudget(pod, records);
  const isShared = key !== undefined && budgets.has(key);
  const sharing = isShared ? plan.evictNow.filter((other) => refusingBudget(other, records) === key) : [pod];
  const last = Math.max(...sharing.map((other) => records.get(uidOf(other))?.notBefore ?? 0));
  return last > now ? last : now + 1_000;
}

function refusingBudget(pod: Pod, records: DrainStanding['records']): string | undefined {
  const name = records.get(uidOf(pod))?.lastRefusal?.budget;
  return name === undefined ? undefined : budgetKey(pod.metadata.namespace, name);
}

/** On a Node nobody hears from no Pod's end is seen: each is left behind some time after it was to be gone. */
function leftBehind({ unreachable, plan, answers }: DrainStanding, now: number): number[] {
  if (!unreachable) return [];
  const asked = plan.terminating.map(({ metadata }) => Date.parse(metadata.deletionTimestamp ?? ''));
  const known = asked.filter((at) => !Number.isNaN(at));
  const justAsked = answers.size > 0 ? [now + unreachableGraceSeconds * 1_000] : [];
  const last = Math.max(...known, ...justAsked);
  return Number.isFinite(last) ? [Math.max(now + 1_000, last + leftBehindMilliseconds)] : [];
}

function deadline(subject: Subject): number[] {
  const seconds = subject.machine.drainTimeoutSeconds ?? 0;
  return seconds > 0 ? [phaseStart(subject) + seconds * 1_000] : [];
}

function sooner(ends: number[], now: number): number {
  const seconds = ends.map((end) => Math.max(1, Math.ceil((end - now) / 1_000)));
  return Math.min(lookAgainSeconds, ...seconds);
}

function failed({ machine, dialect }: Subject, why: string, now: number, againSeconds: number): Conclusion {
  return {
    kind: 'wait',
    until: [{ kind: 'time', at: now + againSeconds * 1_000 }],
    report: { reason, message: failure, error: why },
    lookAgainSeconds: againSeconds,
    facts: dialect.events(machine, { what: 'drain-failed', why }),
  };
}
