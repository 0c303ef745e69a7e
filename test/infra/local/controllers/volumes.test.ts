import { afterEach, describe, expect, it } from 'vitest';
import { aPlatform, meta, type Platform } from './platform.ts';

describe('volumes', () => {
  let platform: Platform;
  afterEach(() => platform.stop());

  const attachments = () =>
    platform.list('volumeattachments.storage.k8s.io').map(({ spec, status }) => ({
      node: spec!.nodeName,
      volume: spec!.source!.persistentVolumeName,
      attached: status!.attached,
    }));
  const reported = () => (platform.node('node-1').status!.volumesAttached ?? []).map(({ name }) => name);
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];

  async function aVolumeInUse(...pods: string[]) {
    platform = aPlatform({ detachSeconds: 5, forcedDetachSeconds: 360 });
    platform.addNode('node-1');
    addVolume('vol-1');
    for (const pod of pods) platform.addPod(pod, { node: 'node-1', volumes });
    await platform.seconds(1);
  }

  function addVolume(name: string) {
    const accessModes = ['ReadWriteOnce'];
    const capacity = { storage: '1Gi' };
    const csi = { driver: 'disk.example.com', volumeHandle: `handle-${name}` };
    platform.create('persistentvolumes', { metadata: { name }, spec: { csi, capacity, accessModes } });
    platform.create('persistentvolumeclaims', { metadata: meta('data'), spec: { volumeName: name } });
  }

  it('are attached to the Node of the Pod that uses them', async () => {
    await aVolumeInUse('db');
    expect(attachments()).toEqual([{ node: 'node-1', volume: 'vol-1', attached: true }]);
    expect(platform.node('node-1').status).toMatchObject({
      volumesAttached: [{ name: 'kubernetes.io/csi/disk.example.com^handle-vol-1', devicePath: '' }],
      volumesInUse: ['kubernetes.io/csi/disk.example.com^handle-vol-1'],
    });
  });

  it('are detached a while after the last such Pod is gone', async () => {
    await aVolumeInUse('db', 'backup');
    platform.remove('pods', 'db');
    await platform.seconds(60);
    expect(attachments()).toHaveLength(1);

    platform.remove('pods', 'backup');
    await platform.seconds(5.9);
    expect(attachments()).toHaveLength(1);
    await platform.seconds(0.1);
    expect(attachments()).toEqual([]);
    expect(reported()).toEqual([]);
  });

  it('stay when another Pod comes before they are detached', async () => {
    await aVolumeInUse('db');
    platform.remove('pods', 'db');
    await platform.seconds(4);
    platform.addPod('db-2', { node: 'node-1', volumes });
    await platform.seconds(60);
    expect(attachments()).toHaveLength(1);
  });

  it('stay for minutes on a Node that does not answer', async () => {
    await aVolumeInUse('db');
    platform.setReady('node-1', 'Unknown');
    platform.cluster.remove('pods', platform.pod('db')!, { gracePeriodSeconds: 0 });
    await platform.seconds(359);
    expect(attachments()).toHaveLength(1);
    await platform.seconds(2);
    expect(attachments()).toEqual([]);
  });

  it('are let go at once when the Node is gone', async () => {
    await aVolumeInUse('db');
    platform.remove('nodes', 'node-1', '');
    await platform.seconds(0.1);
    expect(attachments()).toEqual([]);
  });

  it('of other drivers are left in the status of the Node', async () => {
    await aVolumeInUse();
    const foreign = [{ name: 'kubernetes.io/aws-ebs/vol-9', devicePath: '/dev/xvdb' }];
    platform.patch('nodes', 'node-1', { status: { volumesAttached: foreign } }, 'status');
    platform.addPod('db', { node: 'node-1', volumes });
    await platform.seconds(1);
    platform.remove('pods', 'db');
    await platform.seconds(60);
    expect(reported()).toEqual(['kubernetes.io/aws-ebs/vol-9']);
  });

  it('are made for claims that have none, and go with them', async () => {
    platform = aPlatform();
    platform.create('persistentvolumeclaims', {
      metadata: meta('data'),
      spec: { accessModes: ['ReadWriteOnce'] },
    });
    platform.create('persistentvolumeclaims', { metadata: meta('static'), spec: { storageClassName: '' } });
    await platform.seconds(1);
    expect(platform.list('persistentvolumes')).toHaveLength(1);
    platform.remove('persistentvolumeclaims', 'data');
    await platform.seconds(1);
    expect(platform.list('persistentvolumes')).toEqual([]);
  });
});
