import { afterEach, describe, expect, it } from 'vitest';
import { aPlatform, type Platform } from '../platform.ts';

describe('the scheduler', () => {
  let platform: Platform;
  afterEach(() => platform.stop());
  const nodeOf = (pod: string) => platform.pod(pod)!.spec!.nodeName ?? 'none';

  it('spreads Pods: each goes to the Node with the fewest', async () => {
    platform = aPlatform();
    for (const node of ['node-1', 'node-2', 'node-3']) platform.addNode(node);
    for (const pod of ['a', 'b', 'c', 'd', 'e', 'f']) platform.addPod(pod);
    await platform.seconds(1);
    const nodes = ['a', 'b', 'c', 'd', 'e', 'f'].map(nodeOf).toSorted();
    expect(nodes).toEqual(['node-1', 'node-1', 'node-2', 'node-2', 'node-3', 'node-3']);
  });

  it.each([
    ['cordoned', { unschedulable: true }],
    ['not Ready', { ready: 'False' }],
    ['unreachable', { ready: 'Unknown' }],
    ['tainted', { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] }],
    ['without the label that is asked for', { labels: { disk: 'hdd' } }],
  ])('leaves a Pod Pending when the only Node is %s', async (_, node) => {
    platform = aPlatform();
    platform.addNode('node-1', { labels: { disk: 'ssd' }, ...node });
    platform.addPod('web', { nodeSelector: { disk: 'ssd' } });
    await platform.seconds(60);
    expect(platform.pod('web')).toMatchObject({
      status: {
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
      },
    });
    expect(nodeOf('web')).toBe('none');
  });

  it.each([
    [
      'a toleration of the cordon',
      { unschedulable: true },
      { key: 'node.kubernetes.io/unschedulable', operator: 'Exists' },
    ],
    ['a toleration of everything', { unschedulable: true }, { operator: 'Exists' }],
    [
      'an equal toleration',
      { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] },
      { key: 'gpu', value: 'yes', effect: 'NoSchedule' },
    ],
  ])('binds a Pod with %s', async (_, node, toleration) => {
    platform = aPlatform();
    platform.addNode('node-1', node);
    platform.addPod('web', { tolerations: [toleration] });
    await platform.seconds(1);
    expect(nodeOf('web')).toBe('node-1');
  });

  it('binds a waiting Pod as soon as a Node can take it', async () => {
    platform = aPlatform();
    platform.addNode('node-1', { unschedulable: true });
    platform.addPod('web');
    await platform.seconds(60);
    platform.patch('nodes', 'node-1', { spec: { unschedulable: null } });
    await platform.seconds(1);
    expect(platform.pod('web')).toMatchObject({ spec: { nodeName: 'node-1' }, status: { phase: 'Running' } });
  });
});
