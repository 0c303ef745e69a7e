import type { Fleet } from './stage/fleet.ts';
import { story } from './stage/story.ts';

const group = 'volumes';

const goes = async (fleet: Fleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

function withDatabase(fleet: Fleet): void {
  fleet.volume('data');
  fleet.pod('database', 'node-1', { claim: 'data' });
}

function attachUnknown(fleet: Fleet, volume: string): void {
  fleet.create('volumeattachments.storage.k8s.io', {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: `of-${volume}`, finalizers: ['external-attacher/csi-example'] },
    spec: { attacher: 'csi.example', nodeName: 'node-1', source: { persistentVolumeName: volume } },
    status: { attached: true },
  });
}

/** What is on the Node's own list and in no VolumeAttachment. */
function attachInTree(fleet: Fleet, names: string[]): void {
  const volumesAttached = names.map((name) => ({ name, devicePath: '' }));
  fleet.server.cluster.patch(
    'nodes',
    { metadata: { name: 'node-1' } },
    { status: { volumesAttached } },
    'status',
  );
}

story(group, 'a volume that comes off after its Pod', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    withDatabase(fleet);
  },
  plot: goes,
});

story(group, 'volumes of Pods that stay, beside one that has to come off', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    withDatabase(fleet);
    fleet.volume('stays-data');
    fleet.pod('kept', 'node-1', {
      labels: { 'cluster.x-k8s.io/drain': 'skip' },
      claim: 'stays-data',
      stays: true,
    });
  },
  plot: goes,
});

story(group, 'attached volumes that match no PersistentVolume', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    attachInTree(fleet, ['kubernetes.io/aws-ebs/aws://z/vol-1']);
    attachUnknown(fleet, 'pv-nobody-knows');
    fleet.delete('worker-1');
    await fleet.seconds(25);
    fleet.told.say('the VolumeAttachment goes');
    const attachment = { metadata: { name: 'of-pv-nobody-knows' } };
    const patch = { metadata: { finalizers: null } };
    fleet.server.cluster.patch('volumeattachments.storage.k8s.io', attachment, patch);
    await fleet.seconds(25);
    fleet.told.say("the Node's own list becomes empty");
    attachInTree(fleet, []);
    await fleet.gone('worker-1');
  },
});

story(group, 'a volume that never comes off, until it takes too long', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', { spec: { deletion: { nodeVolumeDetachTimeoutSeconds: 30 } } });
  },
  async plot(fleet) {
    attachInTree(fleet, ['kubernetes.io/aws-ebs/aws://z/vol-1']);
    await goes(fleet);
  },
});

story(group, 'a Machine that is excluded from waiting for volumes', {
  scene(fleet) {
    fleet.cluster();
    const annotations = { 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '' };
    fleet.worker('worker-1', { metadata: { annotations } });
    withDatabase(fleet);
  },
  plot: goes,
});

story(group, 'Pods that come again while volumes are waited for', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    attachInTree(fleet, ['kubernetes.io/aws-ebs/aws://z/vol-1']);
    fleet.delete('worker-1');
    await fleet.seconds(30);
    fleet.told.say('a Pod comes');
    fleet.pod('again', 'node-1', { tolerations: [{ operator: 'Exists' }] });
    await fleet.seconds(60);
    fleet.told.say('the volume comes off');
    attachInTree(fleet, []);
    await fleet.gone('worker-1');
  },
});

story(group, 'a Pod that comes as the last volume comes off', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
  },
  async plot(fleet) {
    attachInTree(fleet, ['kubernetes.io/aws-ebs/aws://z/vol-1']);
    fleet.delete('worker-1');
    await fleet.seconds(30);
    fleet.told.say('a Pod comes, and the volume comes off');
    fleet.pod('again', 'node-1', { tolerations: [{ operator: 'Exists' }] });
    attachInTree(fleet, []);
    await fleet.gone('worker-1');
  },
});
