import { nodes } from '../../../shared/kubernetes/resources.ts';
import type { Scene } from '../scene.ts';

const driver = 'test.phaseout.dev';

/** A claim with its volume, attached to a Node of the story, and kept so until somebody detaches it. */
export async function makeVolume(scene: Scene, claim: string, on: string): Promise<void> {
  const { namespace } = scene;
  const name = scene.global(claim);
  const accessModes = ['ReadWriteOnce'];
  const size = { storage: '1Gi' };
  await scene.make({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      capacity: size,
      accessModes,
      storageClassName: '',
      persistentVolumeReclaimPolicy: 'Retain',
      csi: { driver, volumeHandle: name },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name: claim },
    },
  });
  await scene.make({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: claim },
    spec: { accessModes, storageClassName: '', volumeName: name, resources: { requests: size } },
  });
  await scene.make({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name },
    spec: { attacher: driver, nodeName: scene.global(on), source: { persistentVolumeName: name } },
  });
  const status = { volumesAttached: [{ name: `kubernetes.io/csi/${driver}^${name}`, devicePath: '' }] };
  await scene.patch(nodes, { name: scene.global(on) }, { status }, 'status');
}
