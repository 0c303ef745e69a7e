import { keyOf } from '../../../infra/cli/deploy/site.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { podDisruptionBudgets, pods } from '../../../shared/kubernetes/resources.ts';
import { make } from '../make.ts';
import type { Site } from '../site.ts';
import { pause } from '../until.ts';

const patienceMilliseconds = 8_000;

/** Whether somebody keeps the status of disruption budgets, as the disruption controller does within a second. */
export async function hasDisruptionController(site: Site, run: string, namespace: string): Promise<boolean> {
  const budget = await make(site, run, probe(namespace));
  const deadline = site.clock.now() + patienceMilliseconds;
  while (site.clock.now() < deadline && !site.interrupted.aborted) {
    const found = await site.kubernetes.get(podDisruptionBudgets, keyOf(budget));
    if (Object(found?.['status']).observedGeneration >= 1) return true;
    await pause(300, site.clock, site.interrupted);
  }
  return false;
}

const probe = (namespace: string): KubeObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'probe', namespace },
  spec: { minAvailable: 1, selector: { matchLabels: { app: 'nothing' } } },
});

/** Plays the disruption controller, for budgets that say `minAvailable` as a number and select by `matchLabels`. */
export function createBudgets({ kubernetes }: Site): (labelSelector: string) => Promise<void> {
  return async (labelSelector) => {
    const { items } = await kubernetes.list(podDisruptionBudgets, { labelSelector });
    for (const budget of items) {
      const { minAvailable, selector } = Object(budget['spec']);
      const labels = Object.entries(Object(selector).matchLabels ?? {}).map((pair) => pair.join('='));
      const selection = { namespace: budget.metadata.namespace ?? '', labelSelector: labels.join(',') };
      const healthy = (await kubernetes.list(pods, selection)).items.filter(isHealthy).length;
      const status = {
        observedGeneration: budget.metadata.generation,
        currentHealthy: healthy,
        desiredHealthy: minAvailable,
        expectedPods: healthy,
        disruptionsAllowed: Math.max(0, healthy - minAvailable),
        disruptedPods: null,
      };
      const { resourceVersion } = budget.metadata;
      // An eviction may count it down in between. Then the server refuses this write, and the next look reads it again.
      await kubernetes.mergePatch(
        podDisruptionBudgets,
        keyOf(budget),
        { metadata: { resourceVersion }, status },
        'status',
      );
    }
  };
}

function isHealthy({ metadata, status }: KubeObject): boolean {
  const conditions: unknown = Object(status).conditions;
  if (metadata.deletionTimestamp !== undefined || !Array.isArray(conditions)) return false;
  return conditions.some((one) => Object(one).type === 'Ready' && Object(one).status === 'True');
}
