import { expect, test } from 'vitest';
import { type BudgetExplanation, explainBudget, explainedBy } from '../../../shared/drain/budget-cause.ts';
import type { EvictionAnswer } from '../../../shared/kubernetes/client.ts';
import type {
  Condition,
  OwnerReference,
  Pod,
  PodDisruptionBudget,
} from '../../../shared/kubernetes/objects.ts';
import { bare, pod } from '../../builders/pods.ts';
import { goldenKind } from './golden.ts';

type Spec = PodDisruptionBudget['spec'];
type Status = PodDisruptionBudget['status'];

const observed = { observedGeneration: 3 };
const budget = (spec: Spec, status: Status = {}): PodDisruptionBudget => ({
  metadata: { name: 'b', generation: 3 },
  ...(spec && { spec }),
  status: { ...observed, ...status },
});

test.each<[string, PodDisruptionBudget, BudgetExplanation['cause']]>([
  ['maxUnavailable 0 never allows', budget({ maxUnavailable: 0 }), 'BudgetNeverAllows'],
  ['maxUnavailable 0% never allows', budget({ maxUnavailable: '0%' }), 'BudgetNeverAllows'],
  ['maxUnavailable "0" is no share', budget({ maxUnavailable: '0' }), 'BudgetExhausted'],
  ['maxUnavailable 0.5% is no share that counts', budget({ maxUnavailable: '0.5%' }), 'BudgetExhausted'],
  ['maxUnavailable 0% with more behind it neither', budget({ maxUnavailable: '0%!' }), 'BudgetExhausted'],
  ['maxUnavailable 10% can', budget({ maxUnavailable: '10%' }), 'BudgetExhausted'],
  ['minAvailable 100% never allows', budget({ minAvailable: '100%' }), 'BudgetNeverAllows'],
  ['minAvailable 99% can', budget({ minAvailable: '99%' }), 'BudgetExhausted'],
  [
    'minAvailable 100 is a number of Pods and no share',
    budget({ minAvailable: 100 }, { desiredHealthy: 100, expectedPods: 101 }),
    'BudgetExhausted',
  ],
  ['no spec and no status', { metadata: { name: 'b' } }, 'BudgetExhausted'],
  [
    'as many desired as expected never allow',
    budget({ minAvailable: 2 }, { desiredHealthy: 2, expectedPods: 2 }),
    'BudgetNeverAllows',
  ],
  [
    'one fewer desired than expected can',
    budget({ minAvailable: 2 }, { desiredHealthy: 2, expectedPods: 3 }),
    'BudgetExhausted',
  ],
  [
    'nothing expected says nothing',
    budget({ minAvailable: 2 }, { desiredHealthy: 2, expectedPods: 0 }),
    'BudgetExhausted',
  ],
  [
    'healthy Pods of which none is expected, as Pods without a controller are counted',
    budget({ maxUnavailable: 1 }, { desiredHealthy: 0, expectedPods: 0, currentHealthy: 1 }),
    'BudgetNeverAllows',
  ],
  [
    'a spec that nobody has looked at',
    budget({ maxUnavailable: 0 }, { observedGeneration: 2 }),
    'BudgetNotObserved',
  ],
  ['an empty status', { metadata: { name: 'b', generation: 1 } }, 'BudgetNotObserved'],
])('%s', (_, given, expected) => {
  expect(explainBudget(given, pod('ns/a'))).toEqual({ cause: expected });
});

test('recorded: the budget of ten Pods that may never be evicted', () => {
  const [recorded] = goldenKind<PodDisruptionBudget>('20-draining-pdb-blocked.yaml', 'PodDisruptionBudget');
  expect(explainBudget(recorded!, pod('bench/a'))).toEqual({ cause: 'BudgetNeverAllows' });
});

test('explains only what a budget refused', () => {
  const never = budget({ maxUnavailable: 0 });
  const exhausted: EvictionAnswer = { kind: 'refused', cause: 'BudgetExhausted', text: 'no', budget: 'b' };
  const throttled: EvictionAnswer = { kind: 'refused', cause: 'Throttled', text: 'slow' };
  const refused = pod('ns/a');
  expect(explainedBy(never, refused, exhausted)).toEqual({ ...exhausted, cause: 'BudgetNeverAllows' });
  expect(explainedBy(never, refused, throttled)).toBe(throttled);
  expect(explainedBy(never, refused, { kind: 'accepted' })).toEqual({ kind: 'accepted' });
});

const owner = (apiVersion: string, kind: string, name: string, controller = true): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid: `uid-${name}`,
  controller,
});
const instanceManager = owner('longhorn.io/v1beta2', 'InstanceManager', 'instance-manager-a');
const cephCluster = owner('ceph.rook.io/v1', 'CephCluster', 'rook-ceph');
const postgres = owner('postgresql.cnpg.io/v1', 'Cluster', 'pg');
const replicaSet = owner('apps/v1', 'ReplicaSet', 'web-1');

const podOf = (...ownerReferences: OwnerReference[]): Pod => {
  const built = bare('ns/a');
  return { ...built, metadata: { ...built.metadata, ownerReferences } };
};
const budgetOf = (given: PodDisruptionBudget, ...ownerReferences: OwnerReference[]): PodDisruptionBudget => ({
  ...given,
  metadata: { ...given.metadata, ownerReferences },
});

/** As the disruption controller computes `minAvailable: 1` of a single Pod. */
const one = budget({ minAvailable: 1 }, { desiredHealthy: 1, currentHealthy: 1, expectedPods: 1 });
const none = budget({ maxUnavailable: 0 }, { desiredHealthy: 3, currentHealthy: 3, expectedPods: 3 });

test.each<[string, PodDisruptionBudget, Pod, string]>([
  [
    'Longhorn: the controller of the Pod is of a custom kind',
    one,
    podOf(instanceManager),
    'the Pod is kept by InstanceManager instance-manager-a of longhorn.io',
  ],
  [
    'Rook: the owner of the budget is of a custom kind, the Pod belongs to a ReplicaSet',
    budgetOf(none, cephCluster),
    podOf(replicaSet),
    'the budget is kept by CephCluster rook-ceph of ceph.rook.io',
  ],
  [
    'an owner of the budget that is not its controller is one, too',
    budgetOf(none, owner('ceph.rook.io/v1', 'CephCluster', 'rook-ceph', false)),
    podOf(replicaSet),
    'the budget is kept by CephCluster rook-ceph of ceph.rook.io',
  ],
  [
    'CloudNativePG: both are of a custom kind',
    budgetOf(one, postgres),
    podOf(postgres),
    'the budget is kept by Cluster pg of postgresql.cnpg.io; the Pod is kept by Cluster pg of postgresql.cnpg.io',
  ],
  [
    'a group under k8s.io that Kubernetes does not serve',
    one,
    podOf(owner('leaderworkerset.x-k8s.io/v1', 'LeaderWorkerSet', 'llm')),
    'the Pod is kept by LeaderWorkerSet llm of leaderworkerset.x-k8s.io',
  ],
  [
    'a kind of a builtin name in a group of its own',
    one,
    podOf(owner('apps.kruise.io/v1beta1', 'StatefulSet', 'db')),
    'the Pod is kept by StatefulSet db of apps.kruise.io',
  ],
])('an operator keeps it: %s', (_, given, refused, explanation) => {
  expect(explainBudget(given, refused)).toEqual({ cause: 'BudgetHeldByOperator', explanation });
});

test.each<[string, PodDisruptionBudget, Pod]>([
  ['both owners are builtin', budgetOf(one, owner('apps/v1', 'Deployment', 'web')), podOf(replicaSet)],
  ['neither has an owner', one, bare('ns/a')],
  ['the controller of the Pod is of a core kind', one, podOf(owner('v1', 'ReplicationController', 'web'))],
  ['the controller of the Pod is a Job', one, podOf(owner('batch/v1', 'Job', 'report'))],
  [
    'an owner of the Pod is custom, its controller is not',
    one,
    podOf(replicaSet, { ...postgres, controller: false }),
  ],
])('no operator keeps it: %s', (_, given, refused) => {
  expect(explainBudget(given, refused)).toEqual({ cause: 'BudgetNeverAllows' });
});

test('an operator does not change what a budget can allow later', () => {
  const exhausted = budget({ maxUnavailable: 1 }, { desiredHealthy: 2, currentHealthy: 2, expectedPods: 3 });
  expect(explainBudget(budgetOf(exhausted, postgres), podOf(postgres))).toEqual({ cause: 'BudgetExhausted' });
});

const unsynced: Condition = {
  type: 'DisruptionAllowed',
  status: 'False',
  reason: 'SyncFailed',
  message: 'jobs.batch does not implement the scale subresource',
};
const failing = 'it allows nothing until somebody changes what its controller fails on: ';

test.each<[string, Status, string]>([
  [
    'of an earlier computation',
    { conditions: [unsynced], expectedPods: 3, desiredHealthy: 2 },
    unsynced.message!,
  ],
  ['that was never computed before', { conditions: [unsynced], observedGeneration: 0 }, unsynced.message!],
  ['that does not say why', { conditions: [{ ...unsynced, message: '' }] }, 'no message'],
])(
  'a budget that failed to sync allows nothing until somebody changes something: one %s',
  (_, status, said) => {
    expect(explainBudget(budget({ maxUnavailable: 1 }, status), pod('ns/a'))).toEqual({
      cause: 'BudgetNeverAllows',
      explanation: `${failing}${said}`,
    });
  },
);

test('a budget that failed to sync and that an operator keeps names both', () => {
  const given = budget({ maxUnavailable: 1 }, { conditions: [unsynced] });
  expect(explainBudget(given, podOf(postgres))).toEqual({
    cause: 'BudgetHeldByOperator',
    explanation: `${failing}${unsynced.message}; the Pod is kept by Cluster pg of postgresql.cnpg.io`,
  });
});

test.each<[string, Condition]>([
  ['is true', { ...unsynced, status: 'True' }],
  ['has another reason', { ...unsynced, reason: 'InsufficientPods' }],
  ['is another one', { ...unsynced, type: 'Other' }],
])('the condition says nothing of a failed sync where it %s', (_, condition) => {
  const status = { conditions: [condition], expectedPods: 3, desiredHealthy: 2 };
  expect(explainBudget(budget({ maxUnavailable: 1 }, status), pod('ns/a'))).toEqual({
    cause: 'BudgetExhausted',
  });
});

test('a budget that is still being processed is explained only where its sync failed', () => {
  const answer: EvictionAnswer = {
    kind: 'refused',
    cause: 'BudgetNotObserved',
    text: 'still being processed',
    budget: 'b',
    retryAfterSeconds: 10,
  };
  const unseen = budget({ maxUnavailable: 1 }, { observedGeneration: 0, conditions: [unsynced] });
  expect(explainedBy(unseen, pod('ns/a'), answer)).toEqual({
    ...answer,
    cause: 'BudgetNeverAllows',
    explanation: `${failing}${unsynced.message}`,
  });
  expect(explainedBy(budget({ maxUnavailable: 0 }), pod('ns/a'), answer)).toBe(answer);
});
