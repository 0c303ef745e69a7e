import { expect, test } from 'vitest';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { createApiServer } from '../../../../infra/local/kubernetes/server/api-server.ts';
import { computeBudgets, uncomputedBudgets } from '../../../../infra/local/load/budget-statuses.ts';
import { load } from '../../../../infra/local/load/load.ts';
import { aPod } from '../../../builders/dump.ts';
import { VirtualClock } from '../../../golden/kubernetes/virtual-clock.ts';

function loaded(...objects: KubeObject[]) {
  const clock = new VirtualClock(Date.parse('2026-01-03T00:00:00Z'));
  const { cluster, ...apiServer } = createApiServer({ clock });
  const manifests = objects.map((object) => ({ from: 'dump.yaml', object }));
  load({ ...apiServer, cluster }, manifests, 'http://127.0.0.1:4711');
  const compute = (keys = uncomputedBudgets(cluster)) => computeBudgets(cluster, clock, keys);
  const status = () => cluster.get('poddisruptionbudgets.policy', 'shop', 'guard')?.status;
  return { cluster, compute, status };
}

const guard = (spec: object, status?: object): KubeObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'guard', namespace: 'shop' },
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
  ...(status && { status }),
});
const replicaSet: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web', namespace: 'shop', uid: 'owner-web' },
  spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, template: {} },
};
const web = (kind = 'ReplicaSet') => aPod('web-1', 'a', { kind, name: 'web' });

const zeros = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 };

test.each<[string, object | undefined, string[]]>([
  ['no status', undefined, ['shop/guard']],
  ['an empty one', {}, ['shop/guard']],
  ['the one of a new object', zeros, ['shop/guard']],
  ['one that was observed', { ...zeros, observedGeneration: 1 }, []],
  [
    'one that could not be computed',
    { ...zeros, conditions: [{ type: 'DisruptionAllowed', status: 'False' }] },
    [],
  ],
  ['healthy Pods', { ...zeros, currentHealthy: 1 }, []],
  ['desired Pods', { ...zeros, desiredHealthy: 1 }, []],
  ['expected Pods', { ...zeros, expectedPods: 1 }, []],
  ['disruptions to allow', { ...zeros, disruptionsAllowed: 1 }, []],
])('which budgets nothing has computed: one with %s', (_, status, expected) => {
  expect(uncomputedBudgets(loaded(guard({ minAvailable: 1 }, status)).cluster)).toEqual(expected);
});

test.each<[string, KubeObject[], object]>([
  [
    'what the owner wants',
    [guard({ maxUnavailable: 1 }), replicaSet, web()],
    { observedGeneration: 1, expectedPods: 3, desiredHealthy: 2, currentHealthy: 1, disruptionsAllowed: 0 },
  ],
  [
    'the Pods alone, where a number of them is asked for',
    [guard({ minAvailable: 1 }), web()],
    { observedGeneration: 1, expectedPods: 1, desiredHealthy: 1, currentHealthy: 1, disruptionsAllowed: 0 },
  ],
  [
    'the Pods alone, where its spec allows none',
    [guard({ maxUnavailable: 0 }), web()],
    { observedGeneration: 1, expectedPods: 1, desiredHealthy: 1, currentHealthy: 1, disruptionsAllowed: 0 },
  ],
  [
    'the kind of the owner, where that has no scale',
    [guard({ maxUnavailable: 1 }), web('Job')],
    {
      ...zeros,
      conditions: [{ reason: 'SyncFailed', message: 'jobs.batch does not implement the scale subresource' }],
    },
  ],
])('computes a budget from %s', (_, objects, expected) => {
  const { compute, status } = loaded(...objects);
  expect(compute()).toEqual({ computed: ['shop/guard'], unknown: new Set() });
  expect(status()).toMatchObject(expected);
});

test('leaves a budget as it is that depends on owners that are not there', () => {
  const { compute, status } = loaded(guard({ maxUnavailable: 1 }), web());
  expect(compute()).toEqual({ computed: [], unknown: new Set(['shop/guard']) });
  expect(status()).toEqual(zeros);
});

test('passes over a budget that has gone since', () => {
  expect(loaded().compute(['shop/guard'])).toEqual({ computed: [], unknown: new Set() });
});
