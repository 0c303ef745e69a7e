import type { Announcement, PodName } from '../announcement.ts';
import type { Effect } from '../decision.ts';
import type { Pod, PodDisruptionBudget } from '../kubernetes/objects.ts';
import type { EvictionAnswer, WorkloadCluster } from '../kubernetes/port.ts';
import { uidOf } from '../kubernetes/pod.ts';
import { CouldNotLook, nodes, podDisruptionBudgets } from '../kubernetes/port.ts';
import { nextAttempt } from '../drain/attempts.ts';
import { explainedBy } from '../drain/budget.ts';
import type { Subject } from '../phase-definition.ts';
import { withEviction } from '../store/pod-record.ts';
import type { EvictionRecord, PodRecord } from '../store/port.ts';
import type { Environment } from './environment.ts';
import type { RunningLook } from './running-look.ts';

/** Where an effect is done, and what is told of it. */
export interface Performance {
  env: Environment;
  subject: Subject;
  look: RunningLook;
  workload: () => Promise<WorkloadCluster>;
}

/** Performs effects side by side; their outcomes become part of what the look has seen. */
export async function perform(effects: Effect[], performance: Performance): Promise<Announcement[]> {
  const each = await Promise.all(effects.map((effect) => performOne(effect, performance)));
  return each.flat();
}

async function performOne(effect: Effect, performance: Performance): Promise<Announcement[]> {
  if (effect.kind === 'cordon') return cordon(effect, performance);
  if (effect.kind === 'evict') return evict(effect, performance);
  return remove(effect, performance);
}

/** The UID in the patch makes the API server refuse it for another Node of that name. */
async function cordon(
  effect: Effect & { kind: 'cordon' },
  performance: Performance,
): Promise<Announcement[]> {
  const { look, env, subject } = performance;
  const key = { name: effect.node };
  env.log.info('Cordoning Node', { machine: subject.machine.ref.name, node: effect.node });
  const patch = { metadata: { uid: effect.uid }, spec: { unschedulable: true } };
  const outcome = await (await performance.workload()).mergePatch(nodes, key, patch);
  look.recordWrite('workload', nodes, key, outcome);
  if (outcome.kind === 'refused' || outcome.kind === 'conflict') {
    throw new CouldNotLook(`failed to cordon Node ${effect.node}: ${outcome.message}`);
  }
  return [];
}

async function remove(
  effect: Effect & { kind: 'delete' },
  performance: Performance,
): Promise<Announcement[]> {
  const { look, env, subject } = performance;
  const api = effect.side === 'management' ? env.management : await performance.workload();
  const outcome = await api.delete(effect.resource, effect.key, effect.uid);
  env.log.info(`Deleting ${effect.what}`, {
    machine: subject.machine.ref.name,
    name: effect.key.name,
    outcome: outcome.kind,
  });
  look.recordDeletion(effect, outcome);
  return [];
}

async function evict(effect: Effect & { kind: 'evict' }, performance: Performance): Promise<Announcement[]> {
  const { env, look, subject } = performance;
  const answers = await explained(
    look,
    effect,
    await (await performance.workload()).evictAll(effect.evictions),
  );
  look.recordAnswers(answers);
  const records = await look.podRecords();
  const answered = effect.evictions.flatMap(({ pod }) => {
    const answer = answers.get(uidOf(pod));
    return answer === undefined ? [] : [{ pod, answer }];
  });
  const known = answered.map(({ pod, answer }) => record(pod, answer, records.get(uidOf(pod)), env));
  look.recordPods(known.map((eviction) => withEviction(records.get(eviction.podUid), eviction)));
  await env.store.recordEvictions(subject.machine.ref, known);
  return answered.flatMap(({ pod, answer }) =>
    told(pod, answer, { subject, known: records.get(uidOf(pod)) }),
  );
}

/**
 * A budget's refusal does not say whether it could ever allow an eviction; the budget itself does, and the next
 * round asks for it anyway.
 */
async function explained(
  look: RunningLook,
  { evictions }: Effect & { kind: 'evict' },
  answers: ReadonlyMap<string, EvictionAnswer>,
): Promise<ReadonlyMap<string, EvictionAnswer>> {
  const pods = evictions.map(({ pod }) => pod);
  const each = pods.map(async (pod): Promise<[string, EvictionAnswer][]> => {
    const answer = answers.get(uidOf(pod));
    return answer === undefined ? [] : [[uidOf(pod), await explainedAnswer(look, pod, answer)]];
  });
  return new Map((await Promise.all(each)).flat());
}

async function explainedAnswer(look: RunningLook, pod: Pod, answer: EvictionAnswer): Promise<EvictionAnswer> {
  if (answer.kind !== 'refused' || answer.cause !== 'BudgetExhausted' || answer.budget === undefined)
    return answer;
  const key = { namespace: pod.metadata.namespace ?? '', name: answer.budget };
  try {
    const budget: PodDisruptionBudget | undefined = await look.get('workload', podDisruptionBudgets, key);
    return budget === undefined ? answer : explainedBy(budget, answer);
  } catch (error) {
    if (error instanceof CouldNotLook) return answer;
    throw error;
  }
}

function record(
  pod: Pod,
  answer: EvictionAnswer,
  known: PodRecord | undefined,
  env: Environment,
): EvictionRecord {
  const at = env.clock.now();
  const base = {
    podUid: uidOf(pod),
    namespace: pod.metadata.namespace ?? '',
    name: pod.metadata.name,
    at,
  };
  if (answer.kind !== 'refused')
    return { ...base, outcome: answer.kind === 'accepted' ? 'accepted' : 'gone' };
  const { cause, text, budget, retryAfterSeconds } = answer;
  const refusal = { cause, text, ...(budget === undefined ? {} : { budget }) };
  const notBefore = nextAttempt({ known, retryAfterSeconds, now: at, random: env.random });
  return { ...base, outcome: 'refused', refusal, notBefore };
}

/** A refusal is news when it is another one than the last: the same is not told at every attempt. */
function told(
  pod: Pod,
  answer: EvictionAnswer,
  { subject: { machine, checkpoint }, known }: { subject: Subject; known: PodRecord | undefined },
): Announcement[] {
  const about = { machine: machine.ref, phase: checkpoint.phase, seq: checkpoint.seq, pod: podName(pod) };
  if (answer.kind === 'accepted') return [{ ...about, kind: 'pod-evicted' }];
  if (answer.kind !== 'refused' || answer.cause === 'NotAttempted') return [];
  const { cause, text, budget } = answer;
  if (known?.lastRefusal?.text === text && known.lastRefusal.cause === cause) return [];
  return [{ ...about, kind: 'pod-refused', cause, text, ...(budget === undefined ? {} : { budget }) }];
}

const podName = (pod: Pod): PodName => ({
  namespace: pod.metadata.namespace ?? '',
  name: pod.metadata.name,
  uid: uidOf(pod),
});
