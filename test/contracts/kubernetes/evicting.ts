import { describe, expect, test } from 'vitest';

import type { Pod } from '../../../shared/kubernetes/objects.ts';
import { namespaces, podDisruptionBudgets, pods } from '../../../shared/kubernetes/resources.ts';
import { type Given, type KubernetesUnderTest, namespace, pod, uidOf } from './under-test.ts';

const spent = { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 };

async function seedReady(under: KubernetesUnderTest, name: string): Promise<Pod> {
  const seeded = under.seed('pods', pod(name, { labels: { app: name } }));
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  await under.kubernetes.mergePatch(pods, { namespace, name }, { status }, 'status');
  return seeded;
}

async function seedBudget(
  under: KubernetesUnderTest,
  { name, app }: { name: string; app: string },
  status: object,
): Promise<void> {
  under.seed('poddisruptionbudgets.policy', {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace },
    spec: { minAvailable: 1, selector: { matchLabels: { app } } },
  });
  await under.kubernetes.mergePatch(podDisruptionBudgets, { namespace, name }, { status }, 'status');
}

export function evicting(given: Given): void {
  describe('evicting', () => {
    test('a Pod no budget protects is evicted', async () => {
      const evicted: Pod = given().seed('pods', pod('evicted'));
      expect(await given().kubernetes.evict({ pod: evicted, gracePeriodSeconds: 1 })).toEqual({
        kind: 'accepted',
      });
      const left = await given().kubernetes.get(pods, { namespace, name: 'evicted' });
      expect(left?.metadata).toMatchObject({ deletionGracePeriodSeconds: 1 });
    });

    test('a Pod that is not there is gone', async () => {
      const never: Pod = { ...pod('never'), metadata: { name: 'never', namespace, uid: 'u' } };
      expect(await given().kubernetes.evict({ pod: never })).toEqual({ kind: 'gone' });
    });

    test('another Pod of the same name is left alone', async () => {
      const successor = given().seed('pods', pod('successor')) as Pod;
      const old: Pod = { ...successor, metadata: { ...successor.metadata, uid: 'another-uid' } };
      expect(await given().kubernetes.evict({ pod: old })).toEqual({ kind: 'replaced' });
      expect(await given().kubernetes.get(pods, { namespace, name: 'successor' })).not.toHaveProperty(
        'metadata.deletionTimestamp',
      );
    });

    test('a spent budget refuses, and is named', async () => {
      const guarded = await seedReady(given(), 'guarded');
      await seedBudget(given(), { name: 'guard', app: 'guarded' }, { ...spent, observedGeneration: 1 });
      expect(await given().kubernetes.evict({ pod: guarded })).toEqual({
        kind: 'refused',
        cause: 'BudgetExhausted',
        budget: 'guard',
        text:
          "Cannot evict pod as it would violate the pod's disruption budget. " +
          'The disruption budget guard needs 1 healthy pods and has 1 currently',
      });
    });

    test('a budget the API has not worked through yet refuses, with the pause it asks for', async () => {
      const fresh = await seedReady(given(), 'fresh');
      await seedBudget(given(), { name: 'unobserved', app: 'fresh' }, { ...spent, observedGeneration: 0 });
      expect(await given().kubernetes.evict({ pod: fresh })).toMatchObject({
        kind: 'refused',
        cause: 'BudgetNotObserved',
        budget: 'unobserved',
        retryAfterSeconds: 10,
      });
    });

    test('a Pod with two budgets is refused for good', async () => {
      const contested = await seedReady(given(), 'contested');
      await seedBudget(given(), { name: 'one', app: 'contested' }, { ...spent, observedGeneration: 1 });
      await seedBudget(given(), { name: 'two', app: 'contested' }, { ...spent, observedGeneration: 1 });
      expect(await given().kubernetes.evict({ pod: contested })).toMatchObject({
        kind: 'refused',
        cause: 'MultipleBudgets',
      });
    });

    test('a terminating namespace refuses', async () => {
      const space = given().seed('namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'going' },
      });
      const doomed = given().seed('pods', {
        ...pod('doomed'),
        metadata: { name: 'doomed', namespace: 'going' },
      });
      await given().kubernetes.delete(namespaces, { name: 'going' }, uidOf(space));
      expect(await given().kubernetes.evict({ pod: doomed })).toMatchObject({
        kind: 'refused',
        cause: 'NamespaceTerminating',
      });
    });
  });
}
