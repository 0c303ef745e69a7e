import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import {
  type Claim,
  isTerminating,
  keyOf,
  type PersistentVolume,
  type Pod,
  toKey,
  type VolumeAttachment,
} from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { byClaim, isFinished } from '../workloads/pods.ts';

const claimFinalizer = 'kubernetes.io/pvc-protection';
const volumeFinalizer = 'kubernetes.io/pv-protection';

/** Holds a terminating claim until no Pod uses it, and a terminating volume until it is neither claimed nor attached. */
export function volumeProtection(world: World): void {
  const claims = world.informer<Claim>('persistentvolumeclaims');
  const volumes = world.informer<PersistentVolume>('persistentvolumes');
  const pods = world.informer<Pod>('pods');
  const attachments = world.informer<VolumeAttachment>('volumeattachments.storage.k8s.io');

  const claimQueue = world.queue('claim-protection', (key) => {
    const claim = claims.get(key);
    if (claim === undefined || !isHeldBy(claim, claimFinalizer)) return;
    if (!pods.in(byClaim, key).some((pod) => !isFinished(pod))) {
      world.dropFinalizer('persistentvolumeclaims', claim, claimFinalizer);
    }
  });
  const volumeQueue = world.queue('volume-protection', (key) => {
    const volume = volumes.get(key);
    if (volume === undefined || !isHeldBy(volume, volumeFinalizer)) return;
    const { namespace, name = '' } = volume.spec?.claimRef ?? {};
    const isClaimed = claims.get(toKey(namespace, name)) !== undefined;
    if (isClaimed || attachments.in(ofVolume, key).length > 0) return;
    world.dropFinalizer('persistentvolumes', volume, volumeFinalizer);
  });

  claims.onChange(({ key, before, after }) => {
    claimQueue.add(key);
    if (after === undefined && before?.spec?.volumeName) volumeQueue.add(before.spec.volumeName);
  });
  pods.onChange(({ before, after }) => {
    if (before === undefined || (after !== undefined && !isFinished(after))) return;
    for (const claim of byClaim(before)) claimQueue.add(claim);
  });
  volumes.onChange(({ after }) => after && volumeQueue.add(keyOf(after)));
  attachments.onChange(({ before, after }) => {
    if (before !== undefined && after === undefined) volumeQueue.add(ofVolume(before)[0] ?? '');
  });
}

const ofVolume = (attachment: VolumeAttachment): readonly string[] => [
  attachment.spec?.source?.persistentVolumeName ?? '',
];

function isHeldBy(object: KubeObject, finalizer: string): boolean {
  return isTerminating(object) && (object.metadata.finalizers ?? []).includes(finalizer);
}
