import type { Random } from '../../random.ts';
import { aPod, aSet, type Draft, type Place } from './draft.ts';

/** Budgets over an application of so many replicas. */
const guards = {
  'one at a time': () => [{ maxUnavailable: 1 }],
  'half of them': () => [{ minAvailable: '50%' }],
  impossible: (replicas: number) => [{ minAvailable: replicas }],
  'two over one': () => [{ maxUnavailable: 1 }, { maxUnavailable: '50%' }],
} as const satisfies Record<string, (replicas: number) => readonly object[]>;

type GuardKind = keyof typeof guards;

const usual: readonly GuardKind[] = [
  'one at a time',
  'one at a time',
  'one at a time',
  'half of them',
  'half of them',
  'impossible',
  'two over one',
];

/** An application with Pods on these Nodes, one after the other, and a budget over them. */
export function drawGuarded(
  draft: Draft,
  places: readonly [Place, ...Place[]],
  { name, random }: { name: string; random: Random },
): void {
  const replicas = random.between(1, 3);
  const [{ host }] = places;
  draft.sets.push(aSet({ host, name, replicas }));
  for (let index = 1; index <= replicas; index += 1) {
    const place = places[index % places.length] ?? places[0];
    draft.pods.push(
      aPod(place, { kind: 'replica', name: `${name}-${index}`, replicaSet: name, labels: { app: name } }),
    );
  }
  addBudgets(draft, host, name, guards[random.oneOf(usual)](replicas));
}

/** No scale says how many Pods a Job wants. So its budget is never counted, and refuses with a time to retry. */
export function drawUncountable(draft: Draft, place: Place): void {
  const labels = { app: 'report' };
  draft.pods.push(aPod(place, { kind: 'of a job with a budget', name: 'report-1', job: 'report', labels }));
  addBudgets(draft, place.host, 'report', [{ maxUnavailable: 1 }]);
}

export function addBudgets(draft: Draft, host: string, app: string, specs: readonly object[]): void {
  for (const [index, spec] of specs.entries()) {
    const selector = { matchLabels: { app } };
    draft.budgets.push({ host, namespace: 'shop', name: `${app}-${index + 1}`, spec: { ...spec, selector } });
  }
}

/**
 * Two applications with a Pod on each of two Nodes, and room nowhere else. Each Node evicts one. Then each waits for a
 * replacement that only the other Node could take.
 */
export function drawCircle(draft: Draft, [one, other]: readonly [Place, Place]): void {
  const nodeSelector = { pool: 'closed' };
  for (const name of ['left', 'right']) {
    const { host } = one;
    draft.sets.push(aSet({ host, name, replicas: 2, nodeSelector }));
    for (const [index, place] of [one, other].entries())
      draft.pods.push(
        aPod(place, {
          kind: 'in a circle',
          name: `${name}-${index}`,
          replicaSet: name,
          labels: { app: name },
        }),
      );
    addBudgets(draft, host, name, [{ maxUnavailable: 1 }]);
  }
  draft.nodes = draft.nodes.map((node) =>
    node.host === one.host && [one.node, other.node].includes(node.name)
      ? { ...node, labels: { ...node.labels, ...nodeSelector } }
      : node,
  );
}
