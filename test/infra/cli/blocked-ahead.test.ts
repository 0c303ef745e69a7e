import { expect, test } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { aDrainPolicy } from '../../builders/drain-policy.ts';
import { aDump, aMachine, aNode, anAwsMachine } from '../../builders/dump.ts';
import { anOutside } from './outside.ts';

// What plan tells of a Pod that its budget never lets go.

const labels = { app: 'web' };
const owned = (kind: string, name: string, uid: string) => [
  { apiVersion: 'apps/v1', kind, name, uid, controller: true },
];
const revision = { 'deployment.kubernetes.io/revision': '1' };

/** A Deployment of one replica on the Node of the Machine, and its budget. */
function shop(strategy: string): KubeObject[] {
  const metadata = { namespace: 'shop', labels };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { ...metadata, name: 'web', uid: 'deployment', annotations: revision, generation: 1 },
      spec: {
        replicas: 1,
        strategy: { type: strategy },
        selector: { matchLabels: labels },
        template: { metadata: { labels } },
      },
      status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        ...metadata,
        name: 'web-1',
        uid: 'set',
        annotations: revision,
        ownerReferences: owned('Deployment', 'web', 'deployment'),
      },
      spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels } } },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        ...metadata,
        name: 'web-1-a',
        uid: 'pod',
        ownerReferences: owned('ReplicaSet', 'web-1', 'set'),
      },
      spec: { nodeName: 'a', containers: [{ name: 'c' }] },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web', namespace: 'shop', generation: 1 },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
      status: {
        observedGeneration: 1,
        currentHealthy: 1,
        desiredHealthy: 1,
        expectedPods: 1,
        disruptionsAllowed: 0,
      },
    },
  ];
}

async function planned(strategy: string): Promise<string> {
  const policy = aDrainPolicy('workers', {
    blocked: [{ cause: 'BudgetNeverAllows', after: '10m', action: 'RolloutRestart' }],
  });
  const { outside, written, folder } = await anOutside();
  const objects = [
    aMachine('a'),
    anAwsMachine('a'),
    aNode('a'),
    ...shop(strategy),
    { ...policy, metadata: { ...policy.metadata, namespace: 'fleet' } },
  ];
  await main(['plan', 'fleet/a', '--load', await aDump(folder, objects)], outside);
  return written.stdout.replaceAll(/\s+/g, ' ');
}

const foretold =
  'its Deployment is restarted once BudgetNeverAllows has kept it for 600 s, if PHASEOUT_ACTIONS has rollout-restart';

test('plan says which policy rules, what it does, and when', async () => {
  expect(await planned('RollingUpdate')).toContain(`${foretold} (DrainPolicy workers)`);
});

test('plan says what would keep it from that', async () => {
  const unmet = 'it would not be done now: Deployment shop/web: its strategy is Recreate';
  expect(await planned('Recreate')).toContain(`${foretold}; ${unmet}`);
});
