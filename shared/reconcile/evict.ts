import { nextAttempt } from '../drain/backoff.ts';
import { disruptionsAllowed, explainedBy, isExplainable, isObserved } from '../drain/budget-cause.ts';
import { isWaiting } from '../drain/message.ts';
import { type EvictionRecord, type PodRecord, withEviction } from '../drain/pod-record.ts';
import type { EvictionAnswer } from '../kubernetes/client.ts';
import { readOr } from '../kubernetes/errors.ts';
import { type Pod, podName, uidOf } from '../kubernetes/objects.ts';
import { podDisruptionBudgets } from '../kubernetes/resources.ts';
import { lastingAfter } from '../machine/lasting-cause.ts';
import type { Fact, PodName } from '../machine/messages.ts';
import type { Decision, Effect } from '../phase/decision.ts';
import type { Subject } from '../phase/definition.ts';
import type { ClusterSnapshot } from '../read/snapshot.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Instant } from '../time/clock.ts';
import { type EffectContext, recordDecision, type Step } from './step.ts';

/** Evicts, and remembers every answer: in this look, in the instance and in the store. */
export async function evict(effect: Effect & { kind: 'evict' }, context: EffectContext): Promise<Fact[]> {
  const { env, snapshot, subject } = context;
  const workload = await context.workload();
  for (const { pod } of effect.evictions) env.log.debug('Evicting Pod', aboutPod(pod, subject));
  const { answers, closed } = await explained(snapshot, effect, await workload.evictAll(effect.evictions));
  snapshot.recordAnswers(answers);
  for (const answer of answers.values()) countAnswer(answer, context);
  const records = await snapshot.podRecords();
  // A Pod that still waits for its turn here was not asked for, so nothing is remembered of it.
  const answered = effect.evictions.flatMap(({ pod }) => {
    const answer = answers.get(uidOf(pod));
    return answer === undefined || isWaiting(answer) ? [] : [{ pod, answer }];
  });
  for (const { pod, answer } of answered) logAnswer(pod, answer, context);
  const evictions = answered.map(({ pod, answer }) =>
    evictionRecord(pod, answer, env, {
      known: records.get(uidOf(pod)),
      isClosed: closed.has(uidOf(pod)),
      wasFree: effect.free?.includes(uidOf(pod)) === true,
    }),
  );
  await remember(evictions, records, context);
  return answered.flatMap(({ pod, answer }) =>
    factsOf(pod, answer, { subject, known: records.get(uidOf(pod)) }),
  );
}

/** In this look, in the instance and in the store. */
async function remember(
  evictions: EvictionRecord[],
  records: ReadonlyMap<string, PodRecord>,
  { env, snapshot, subject }: Pick<EffectContext, 'env' | 'snapshot' | 'subject'>,
): Promise<void> {
  snapshot.recordPods(evictions.map((eviction) => withEviction(records.get(eviction.podUid), eviction)));
  await env.store.recordEvictions(subject.machine.ref, evictions);
}

const aboutPod = (pod: Pod, { machine }: Subject) => ({
  Node: pod.spec?.nodeName ?? machine.nodeName,
  Pod: podName(pod),
});

function logAnswer(pod: Pod, answer: EvictionAnswer, { env, subject }: EffectContext): void {
  const about = aboutPod(pod, subject);
  if (answer.kind === 'accepted') env.log.debug('Pod eviction successfully triggered', about);
  else if (answer.kind !== 'refused') env.log.debug('Pod is gone already', about);
  else {
    const { cause, text, detail: why = text, budget, explanation } = answer;
    env.log.debug('Pod eviction was refused', { ...about, cause, why, budget, explanation });
  }
}

function countAnswer(answer: EvictionAnswer, { env, subject }: EffectContext): void {
  const cause = answer.kind === 'refused' ? answer.cause : '';
  env.metrics.count('evictions', { machine_api: subject.dialect.name, answer: answer.kind, cause });
}

/** Answers by UID of the Pod. `closed`: the Pods whose budget was read and allows nothing. A watch shows when it does. */
interface Explained {
  answers: ReadonlyMap<string, EvictionAnswer>;
  closed: ReadonlySet<string>;
}

/**
 * A budget's refusal does not show whether it could ever allow an eviction. The budget itself does, and the next
 * round reads it anyway.
 */
async function explained(
  snapshot: ClusterSnapshot,
  { evictions }: Effect & { kind: 'evict' },
  given: ReadonlyMap<string, EvictionAnswer>,
): Promise<Explained> {
  const answers = new Map(given);
  const closed = new Set<string>();
  await Promise.all(
    evictions.map(async ({ pod }) => {
      const answer = given.get(uidOf(pod));
      if (answer === undefined || !isExplainable(answer)) return;
      const { namespace = '' } = pod.metadata;
      const key = { namespace, name: answer.budget };
      // Undefined also where it could not be read.
      const budget = await readOr(undefined, () => snapshot.get('workload', podDisruptionBudgets, key));
      if (budget === undefined) return;
      answers.set(uidOf(pod), explainedBy(budget, pod, answer));
      if (isObserved(budget) && disruptionsAllowed(budget) === 0) closed.add(uidOf(pod));
    }),
  );
  return { answers, closed };
}

function evictionRecord(
  pod: Pod,
  answer: EvictionAnswer,
  env: Environment,
  { known, isClosed, wasFree }: { known: PodRecord | undefined; isClosed: boolean; wasFree: boolean },
): EvictionRecord {
  const at = env.clock.now();
  const base = evictedAt(pod, at);
  if (answer.kind !== 'refused')
    return { ...base, outcome: answer.kind === 'accepted' ? 'accepted' : 'gone' };
  const { cause, text, budget, retryAfterSeconds } = answer;
  const refusal = { cause, text, ...(budget === undefined ? {} : { budget }) };
  const notBefore = nextAttempt({ known, isClosed, retryAfterSeconds, now: at, random: env.random });
  const lasting = lastingAfter(known?.lasting, { cause, at, wasFree });
  return { ...base, outcome: 'refused', refusal, notBefore, ...(lasting !== undefined && { lasting }) };
}

const evictedAt = (pod: Pod, at: Instant) => ({
  podUid: uidOf(pod),
  namespace: pod.metadata.namespace ?? '',
  name: pod.metadata.name,
  at,
});

/** A refusal is a fact only if it differs from the last. The same is not published at every attempt. */
function factsOf(
  pod: Pod,
  answer: EvictionAnswer,
  { subject: { machine, checkpoint }, known }: { subject: Subject; known: PodRecord | undefined },
): Fact[] {
  const about = { machine: machine.ref, phase: checkpoint.phase, seq: checkpoint.seq, pod: podRef(pod) };
  if (answer.kind === 'accepted') return [{ ...about, kind: 'pod-evicted' }];
  if (answer.kind !== 'refused') return [];
  const { cause, text, budget, explanation } = answer;
  if (known?.lastRefusal?.text === text && known.lastRefusal.cause === cause) return [];
  const more = { ...(budget !== undefined && { budget }), ...(explanation !== undefined && { explanation }) };
  return [{ ...about, kind: 'pod-refused', cause, text, ...more }];
}

const podRef = (pod: Pod): PodName => ({
  namespace: pod.metadata.namespace ?? '',
  name: pod.metadata.name,
  uid: uidOf(pod),
});

/**
 * Records and publishes evictions of an instance that was killed before it could. Evictions since this instance began
 * are left to their own instance, which may be about to record them.
 */
export async function recordEarlierEvictions(
  { env, arrived, snapshot, journal }: Step,
  decision: Decision,
): Promise<void> {
  if (decision.kind !== 'act' && decision.kind !== 'wait') return;
  const evictions = (decision.unrecorded ?? []).filter(({ at }) => at < env.bornAt);
  if (evictions.length === 0) return;
  const accepted = evictions.map(({ pod, at }) => ({ ...evictedAt(pod, at), outcome: 'accepted' as const }));
  const { subject } = arrived;
  await remember(accepted, await snapshot.podRecords(), { env, snapshot, subject });
  const { machine, checkpoint } = subject;
  const names = evictions.map(({ pod }) => podName(pod)).join(', ');
  const message = `Evicted before this instance began, and not recorded: ${names}`;
  recordDecision(journal, checkpoint, { what: 'acted', reason: decision.report.reason, message });
  const about = { machine: machine.ref, phase: checkpoint.phase, seq: checkpoint.seq };
  for (const { pod } of evictions) journal.facts.push({ ...about, kind: 'pod-evicted', pod: podRef(pod) });
}
