import type { KubeObject, ObjectMeta } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { object } from './object.ts';

/** What Pods there are. `fleet`: bare ones on many Nodes. The others are those that were measured, of the same names. */
export type Scenario = 'fleet' | keyof typeof sizes;

/** What the measured scenarios delete. */
export const sizes = {
  /** One Machine of 30 bare Pods. */
  a: { machines: 1, pods: 30 },
  /** The same in three orders of drain rules. */
  b: { machines: 1, pods: 30 },
  /** Ten Pods behind a budget that lets one go at a time. */
  c: { machines: 1, pods: 10 },
} as const;

/** Where Pods are. */
export const shop = 'shop';

const orders = [10, 20, 30] as const;
const orderLabel = 'fleet/order';
const app = { app: 'budgeted' };
const set = { name: 'budgeted', namespace: shop, uid: 'budgeted' };

const template = {
  metadata: { labels: app },
  spec: { containers: [{ name: 'app', image: 'registry.example/app:1' }] },
};

/** What the Pods of a scenario share. */
export function sharedOf(scenario: Scenario, pods: number, namespace: string): KubeObject[] {
  if (scenario === 'b') return orders.map((order) => ruleOf(order, namespace));
  if (scenario !== 'c') return [];
  const selector = { matchLabels: app };
  return [
    object('apps/v1', 'ReplicaSet', set, { spec: { replicas: pods, selector, template } }),
    object(
      'policy/v1',
      'PodDisruptionBudget',
      { name: 'one', namespace: shop },
      {
        spec: { maxUnavailable: 1, selector },
      },
    ),
  ];
}

const ruleOf = (order: number, namespace: string): KubeObject =>
  object(
    'cluster.x-k8s.io/v1beta2',
    'MachineDrainRule',
    { name: `order-${order}`, namespace },
    {
      spec: {
        drain: { behavior: 'Drain', order },
        pods: [{ selector: { matchLabels: { [orderLabel]: String(order) } } }],
      },
    },
  );

export const podsOn = (scenario: Scenario, nodeName: string, count: number): KubeObject[] =>
  Array.from({ length: count }, (_, index) =>
    object(
      'v1',
      'Pod',
      { name: `${nodeName}-pod-${index}`, namespace: shop, ...marks(scenario, index / count) },
      {
        spec: { nodeName, ...template.spec },
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
      },
    ),
  );

/** `place`: from 0 for the first to 1. */
function marks(scenario: Scenario, place: number): Partial<ObjectMeta> {
  if (scenario === 'b')
    return { labels: { [orderLabel]: String(orders[Math.floor(place * orders.length)]) } };
  if (scenario !== 'c') return {};
  const { name, uid } = set;
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid, controller: true };
  return { ...template.metadata, ownerReferences: [owner] };
}
