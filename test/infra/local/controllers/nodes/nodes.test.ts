import { afterEach, describe, expect, it } from 'vitest';
import { aPlatform, type Platform } from '../platform.ts';

describe('the taints of a Node', () => {
  let platform: Platform;
  afterEach(() => platform.stop());
  const taints = () =>
    (platform.node('node-1').spec!.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);

  it.each([
    ['True', []],
    ['False', ['node.kubernetes.io/not-ready:NoSchedule']],
    ['Unknown', ['node.kubernetes.io/unreachable:NoSchedule']],
  ])('follow Ready=%s', async (ready, expected) => {
    platform = aPlatform();
    platform.addNode('node-1', { ready });
    await platform.seconds(1);
    expect(taints()).toEqual(expected);
  });

  it('keep not-ready until the Node has reported', async () => {
    platform = aPlatform();
    platform.create('nodes', { metadata: { name: 'node-1' } });
    await platform.seconds(60);
    expect(taints()).toEqual(['node.kubernetes.io/not-ready:NoSchedule']);
  });

  it('follow the cordon and leave others alone', async () => {
    platform = aPlatform();
    platform.addNode('node-1', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] });
    platform.patch('nodes', 'node-1', { spec: { unschedulable: true } });
    await platform.seconds(1);
    expect(taints()).toEqual(['gpu:NoSchedule', 'node.kubernetes.io/unschedulable:NoSchedule']);
    platform.patch('nodes', 'node-1', { spec: { unschedulable: null } });
    await platform.seconds(1);
    expect(taints()).toEqual(['gpu:NoSchedule']);
  });
});
