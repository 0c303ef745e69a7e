import type { DrainPlan } from '../drain/plan.ts';
import { namespaceTerminating } from '../drain/refusal.ts';
import type { EvictionAnswer } from '../kubernetes/client.ts';
import type { Condition, KubeObject } from '../kubernetes/objects.ts';
import { uidOf } from '../kubernetes/pod.ts';
import { readOr } from '../kubernetes/read-or.ts';
import { namespaces } from '../kubernetes/resources.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import { compareBytes } from '../text/byte-order.ts';
import type { PlannedNamespace } from './deletion-plan.ts';

/** Of the namespaces of Pods that have to go those that are being deleted. A run does without: the API tells it. */
export async function terminatingNamespaces(
  snapshot: Snapshot,
  { batches }: DrainPlan,
): Promise<PlannedNamespace[]> {
  const names = batches.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.namespace ?? ''));
  const read = [...new Set(names)]
    .toSorted(compareBytes)
    .map((name) => readOr(undefined, () => snapshot.get('workload', namespaces, { name })));
  return (await Promise.all(read)).flatMap((found) => (found === undefined ? [] : planNamespace(found)));
}

interface Namespace extends KubeObject {
  status?: { conditions?: Condition[] };
}

/** What remains in it says why it stays, and its Pods with it. */
const remains = [
  'NamespaceContentRemaining',
  'NamespaceFinalizersRemaining',
  'NamespaceDeletionContentFailure',
];

function planNamespace({ metadata, status }: Namespace): PlannedNamespace[] {
  const { name, deletionTimestamp: since } = metadata;
  if (since === undefined) return [];
  const remaining = (status?.conditions ?? [])
    .filter((condition) => condition.status === 'True' && remains.includes(condition.type))
    .flatMap(({ message }) => message ?? []);
  return [{ name, reason: 'NamespaceTerminating', since, remaining }];
}

/** The API refuses every eviction from such a namespace, before it asks a budget. */
export function refusedIn(
  terminating: readonly PlannedNamespace[],
  { evictNow }: DrainPlan,
  answers: ReadonlyMap<string, EvictionAnswer>,
): Map<string, EvictionAnswer> {
  const names = new Set(terminating.map(({ name }) => name));
  const refused = evictNow.filter(({ metadata }) => names.has(metadata.namespace ?? ''));
  return new Map([...answers, ...refused.map((pod) => [uidOf(pod), namespaceTerminating] as const)]);
}
