import { expect, it } from 'vitest';
import { aPlatform, aWorkload } from './platform.ts';

it('moves a large cluster to half of its Nodes without looking at everything each time', async () => {
  const platform = aPlatform({ podStartSeconds: 0, podStopSeconds: 0 });
  const nodes = Array.from({ length: 60 }, (_, i) => `node-${i}`);
  for (const node of nodes) platform.addNode(node);
  platform.create('daemonsets.apps', aWorkload('DaemonSet', 'agent'));
  for (let i = 0; i < 48; i += 1) {
    platform.create('deployments.apps', aWorkload('Deployment', `app-${i}`, { replicas: 30 }));
    platform.create('poddisruptionbudgets.policy', {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: `app-${i}`, namespace: 'default' },
      spec: { maxUnavailable: 1, selector: { matchLabels: { app: `app-${i}` } } },
    });
  }
  await platform.seconds(5);
  expect(platform.pods()).toHaveLength(48 * 30 + 60);

  const drained = new Set(nodes.slice(0, 30));
  for (const node of drained) platform.patch('nodes', node, { spec: { unschedulable: true } });
  for (const pod of platform.list('pods')) {
    const isAgent = pod.metadata.name.startsWith('agent');
    if (!isAgent && drained.has(pod.spec!.nodeName!)) platform.remove('pods', pod.metadata.name);
  }
  await platform.seconds(5);

  const left = platform.list('pods').filter(({ spec }) => drained.has(spec!.nodeName!));
  expect(left).toHaveLength(30);
  expect(platform.pods()).toHaveLength(48 * 30 + 60);
  const budgets = platform
    .list('poddisruptionbudgets.policy')
    .map(({ status }) => status!.disruptionsAllowed);
  expect(new Set(budgets)).toEqual(new Set([1]));
  platform.stop();
});
