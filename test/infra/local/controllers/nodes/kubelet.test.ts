import { afterEach, describe, expect, it } from 'vitest';
import { aPlatform, type Platform } from '../platform.ts';

describe('a kubelet', () => {
  let platform: Platform;
  afterEach(() => platform.stop());

  it('makes a bound Pod Running and Ready after its start', async () => {
    platform = aPlatform({ podStartSeconds: 2 });
    platform.addNode('node-1');
    platform.addPod('web', { node: 'node-1' });

    await platform.seconds(1);
    expect(platform.pod('web')!.status!.phase).toBe('Pending');

    await platform.seconds(1);
    const { phase, conditions, containerStatuses } = platform.pod('web')!.status!;
    expect(phase).toBe('Running');
    expect(conditions!.map(({ type, status }) => `${type}=${status}`).toSorted()).toEqual([
      'ContainersReady=True',
      'Initialized=True',
      'PodReadyToStartContainers=True',
      'PodScheduled=True',
      'Ready=True',
    ]);
    expect(containerStatuses).toMatchObject([{ name: 'c', ready: true, restartCount: 0 }]);
  });

  it('lets a Pod run for a while before it is Ready, if it says so', async () => {
    platform = aPlatform({ podStartSeconds: 1 });
    platform.addNode('node-1');
    platform.addPod('slow', { node: 'node-1', annotations: { 'local.phaseout.dev/ready-seconds': '5' } });
    const seen = () => {
      const { phase, conditions, containerStatuses } = platform.pod('slow')!.status!;
      return [phase, conditions!.find(({ type }) => type === 'Ready')?.status, containerStatuses];
    };
    await platform.seconds(5.9);
    expect(seen()).toMatchObject(['Running', 'False', [{ ready: false, started: true }]]);
    await platform.seconds(0.2);
    expect(seen()).toMatchObject(['Running', 'True', [{ ready: true, started: true }]]);
  });

  it('does not make a Pod Ready that does not say when it will be', async () => {
    platform = aPlatform();
    platform.addNode('node-1');
    platform.addPod('broken', { node: 'node-1' });
    await platform.seconds(5);
    const conditions = [{ type: 'Ready', status: 'False' }];
    platform.patch('pods', 'broken', { status: { conditions } }, 'status');
    await platform.seconds(60);
    expect(platform.pod('broken')!.status!.conditions).toMatchObject(conditions);
  });

  it.each([
    ['as long as the platform says', {}, 1],
    ['as long as it says itself', { annotations: { 'local.phaseout.dev/stop-seconds': '7' } }, 7],
    [
      'no longer than its grace period',
      { grace: 3, annotations: { 'local.phaseout.dev/stop-seconds': '7' } },
      3,
    ],
  ])('lets a Pod take %s to stop', async (_, fields, seconds) => {
    platform = aPlatform();
    platform.addNode('node-1');
    platform.addPod('web', { node: 'node-1', ...fields });
    await platform.seconds(5);
    platform.remove('pods', 'web');

    await platform.seconds(seconds - 0.1);
    expect(platform.pods()).toEqual(['web']);
    await platform.seconds(0.1);
    expect(platform.pods()).toEqual([]);
  });

  it('counts a shortened grace period from the first delete', async () => {
    platform = aPlatform({ podStopSeconds: 60 });
    platform.addNode('node-1');
    platform.addPod('web', { node: 'node-1' });
    await platform.seconds(5);
    platform.remove('pods', 'web');
    await platform.seconds(4);
    platform.cluster.remove('pods', platform.pod('web')!, { gracePeriodSeconds: 6 });

    await platform.seconds(1.9);
    expect(platform.pods()).toEqual(['web']);
    await platform.seconds(0.1);
    expect(platform.pods()).toEqual([]);
  });

  it('never ends a Pod that never stops', async () => {
    platform = aPlatform();
    platform.addNode('node-1');
    platform.addPod('web', { node: 'node-1', annotations: { 'local.phaseout.dev/never-stops': 'true' } });
    await platform.seconds(1);
    platform.remove('pods', 'web');
    await platform.seconds(3600);
    expect(platform.pods()).toEqual(['web']);
  });

  it('stops nothing on a Node whose Ready is Unknown, until the Node is back', async () => {
    platform = aPlatform();
    platform.addNode('node-1');
    platform.addPod('web', { node: 'node-1' });
    await platform.seconds(1);
    platform.setReady('node-1', 'Unknown');
    platform.remove('pods', 'web');
    await platform.seconds(3600);
    expect(platform.pods()).toEqual(['web']);

    platform.setReady('node-1', 'True');
    await platform.seconds(1);
    expect(platform.pods()).toEqual([]);
  });

  it('starts nothing on a Node whose Ready is Unknown', async () => {
    platform = aPlatform();
    platform.addNode('node-1', { ready: 'Unknown' });
    platform.addPod('web', { node: 'node-1' });
    await platform.seconds(60);
    expect(platform.pod('web')!.status!.phase).toBe('Pending');
  });

  it('keeps what eviction has written into the status', async () => {
    platform = aPlatform();
    platform.addNode('node-1');
    platform.addPod('web', { node: 'node-1' });
    const conditions = [{ type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' }];
    platform.patch('pods', 'web', { status: { conditions } }, 'status');
    await platform.seconds(1);
    expect(platform.pod('web')!.status!.conditions![0]).toMatchObject(conditions[0]!);
  });

  it('lets a Pod with a running time succeed, and the Pod is cleaned up a moment later', async () => {
    platform = aPlatform({ podStartSeconds: 1, podCleanupSeconds: 2 });
    platform.addNode('node-1');
    platform.addPod('batch', { node: 'node-1', annotations: { 'local.phaseout.dev/run-seconds': '10' } });
    await platform.seconds(10.9);
    expect(platform.pod('batch')!.status!.phase).toBe('Running');
    await platform.seconds(0.1);
    expect(platform.pod('batch')!.status).toMatchObject({
      phase: 'Succeeded',
      containerStatuses: [{ state: { terminated: { exitCode: 0, reason: 'Completed' } } }],
    });
    await platform.seconds(2);
    expect(platform.pods()).toEqual([]);
  });

  it('shows a static Pod again when its mirror was deleted', async () => {
    platform = aPlatform();
    platform.addNode('node-1');
    const before = platform.addPod('etcd-node-1', {
      node: 'node-1',
      annotations: { 'kubernetes.io/config.mirror': 'abc' },
    });
    await platform.seconds(1);
    platform.remove('pods', 'etcd-node-1');
    await platform.seconds(5);
    const after = platform.pod('etcd-node-1')!;
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    expect(after).toMatchObject({ spec: { nodeName: 'node-1' }, status: { phase: 'Running' } });
  });

  it('does not show static Pods of a Node that is gone', async () => {
    platform = aPlatform();
    platform.addNode('node-1');
    platform.addPod('etcd-node-1', { node: 'node-1', annotations: { 'kubernetes.io/config.mirror': 'abc' } });
    await platform.seconds(1);
    platform.remove('nodes', 'node-1', '');
    await platform.seconds(60);
    expect(platform.pods()).toEqual([]);
  });
});

describe('pod garbage collection', () => {
  it('removes the Pods of a Node that no longer exists, terminating or not, after a moment', async () => {
    const platform = aPlatform({ podGarbageSeconds: 3 });
    platform.addNode('node-1');
    platform.addNode('node-2');
    platform.addPod('lost', { node: 'node-1' });
    platform.addPod('stuck', { node: 'node-1', annotations: { 'local.phaseout.dev/never-stops': 'true' } });
    platform.addPod('kept', { node: 'node-2' });
    await platform.seconds(1);
    platform.remove('pods', 'stuck');
    platform.remove('nodes', 'node-1', '');

    await platform.seconds(2.9);
    expect(platform.pods()).toEqual(['kept', 'lost', 'stuck']);
    await platform.seconds(0.1);
    expect(platform.pods()).toEqual(['kept']);
    platform.stop();
  });

  it('spares Pods whose Node comes in time', async () => {
    const platform = aPlatform({ podGarbageSeconds: 3 });
    platform.addPod('early', { node: 'node-1' });
    await platform.seconds(2);
    platform.addNode('node-1');
    await platform.seconds(60);
    expect(platform.pods()).toEqual(['early']);
    platform.stop();
  });
});
