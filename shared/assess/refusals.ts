import { conditionsFrom } from '../dialects/conditions.ts';
import { recordAt } from '../dialects/fields.ts';
import { budgetKey } from '../drain/budget-cause.ts';
import { isFinalRefusal, namespaceTerminating } from '../drain/eviction-answer.ts';
import type { DrainPlan } from '../drain/plan.ts';
import { previewEvictions } from '../drain/preview.ts';
import type { EvictionAnswer } from '../kubernetes/client.ts';
import { readOr } from '../kubernetes/errors.ts';
import { type KubeObject, type Pod, type PodDisruptionBudget, uidOf } from '../kubernetes/objects.ts';
import { namespaces, podDisruptionBudgets } from '../kubernetes/resources.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import { compareBytes } from '../text/byte-order.ts';
import type { RefusalAhead, Refusals, TerminatingNamespace } from './assessment.ts';
import { orUnread } from './unread.ts';

type Look = Pick<Snapshot, 'list' | 'get'>;

/** What the API would refuse of a drain: now, and of later batches what can never pass. A run asks the API itself. */
export async function foreseeRefusals(
  snapshot: Look,
  plan: DrainPlan,
  uncomputed: ReadonlySet<string>,
): Promise<Refusals> {
  const spaces = spacesOf(plan.batches.flatMap(({ pods }) => pods));
  const terminating = await terminatingOf(snapshot, spaces);
  const { budgets, ...unread } = await orUnread(
    async () => ({ budgets: await budgetsIn(snapshot, spaces) }),
    (why) => ({ budgets: [], unread: why }),
  );
  const answersTo = (pods: Pod[]): Map<string, EvictionAnswer> => {
    const answers = previewEvictions({ evictNow: pods }, budgets);
    return refusedIn(terminating, pods, withoutGuesses(pods, answers, uncomputed));
  };
  const answers = answersTo(plan.evictNow);
  return { answers, ahead: aheadOf(plan, answersTo), budgets, uncomputed, terminating, ...unread };
}

/** The same of the Pods that have to go now alone, with as few requests as that takes. Throws Unavailable. */
export async function refusalsNow(snapshot: Look, plan: DrainPlan): Promise<Refusals> {
  const budgets = await budgetsIn(snapshot, spacesOf(plan.evictNow));
  const answers = previewEvictions(plan, budgets);
  return { answers, ahead: [], budgets, uncomputed: new Set(), terminating: [] };
}

/** Where no controller has computed a budget, its numbers are no answer. */
function withoutGuesses(
  pods: readonly Pod[],
  answers: ReadonlyMap<string, EvictionAnswer>,
  uncomputed: ReadonlySet<string>,
): Map<string, EvictionAnswer> {
  const namespaceOf = new Map(pods.map((pod) => [uidOf(pod), pod.metadata.namespace]));
  const known = ([uid, answer]: [string, EvictionAnswer]): [string, EvictionAnswer] => {
    if (answer.kind !== 'refused' || answer.budget === undefined) return [uid, answer];
    const { budget } = answer;
    if (!uncomputed.has(budgetKey(namespaceOf.get(uid), budget))) return [uid, answer];
    return [uid, { kind: 'refused', cause: 'NotAttempted', text: notComputed, budget }];
  };
  return new Map([...answers].map(known));
}

const notComputed =
  'unknown: no controller runs here that computes the budget, and it depends on what the owners of its Pods want';

const spacesOf = (pods: readonly Pod[]): string[] =>
  [...new Set(pods.map(({ metadata }) => metadata.namespace ?? ''))].toSorted(compareBytes);

async function budgetsIn(snapshot: Look, spaces: readonly string[]): Promise<PodDisruptionBudget[]> {
  const lists = await Promise.all(
    spaces.map((namespace) => snapshot.list('workload', podDisruptionBudgets, { namespace })),
  );
  return lists.flatMap(({ items }) => items as PodDisruptionBudget[]);
}

/** What remains in it says why it stays, and its Pods with it. */
const remains = [
  'NamespaceContentRemaining',
  'NamespaceFinalizersRemaining',
  'NamespaceDeletionContentFailure',
];

/** A run does without: the API tells it. */
async function terminatingOf(snapshot: Look, spaces: readonly string[]): Promise<TerminatingNamespace[]> {
  const read = spaces.map((name) => readOr(undefined, () => snapshot.get('workload', namespaces, { name })));
  return (await Promise.all(read)).flatMap((found) => (found === undefined ? [] : terminatingIn(found)));
}

function terminatingIn({ metadata, status }: KubeObject): TerminatingNamespace[] {
  const { name, deletionTimestamp: since } = metadata;
  if (since === undefined) return [];
  const remaining = conditionsFrom(recordAt(status)['conditions'])
    .filter((condition) => condition.status === 'True' && remains.includes(condition.type))
    .flatMap(({ message }) => message ?? []);
  return [{ name, since, remaining }];
}

/** The API refuses every eviction from such a namespace, before it asks a budget. */
function refusedIn(
  terminating: readonly TerminatingNamespace[],
  pods: readonly Pod[],
  answers: ReadonlyMap<string, EvictionAnswer>,
): Map<string, EvictionAnswer> {
  const names = new Set(terminating.map(({ name }) => name));
  const refused = pods.filter(({ metadata }) => names.has(metadata.namespace ?? ''));
  return new Map([...answers, ...refused.map((pod) => [uidOf(pod), namespaceTerminating] as const)]);
}

function aheadOf(
  { batches, evictLater }: DrainPlan,
  answersTo: (pods: Pod[]) => ReadonlyMap<string, EvictionAnswer>,
): RefusalAhead[] {
  const isLater = new Set(evictLater);
  return batches.flatMap(({ pods }, index) => {
    const later = pods.filter((pod) => isLater.has(pod));
    const answers = answersTo(later);
    return later.flatMap((pod): RefusalAhead[] => {
      const answer = answers.get(uidOf(pod));
      return answer?.kind === 'refused' && isFinalRefusal(answer) ? [{ batch: index + 1, pod, answer }] : [];
    });
  });
}
