import type { KubeObject } from '../kubernetes/cluster.ts';
import { type Claim, keyOf, type PersistentVolume, toKey, uidOf } from './objects.ts';
import type { World } from './world.ts';

export const driver = 'csi.local.phaseout.dev';

const claims = 'persistentvolumeclaims';
const volumes = 'persistentvolumes';

/** Makes a volume for every claim that has none and takes it away when the claim is gone. */
export function volumeProvisioner(world: World): void {
  const allClaims = world.informer<Claim>(claims);
  const allVolumes = world.informer<PersistentVolume>(volumes);

  const provisioner = world.queue('volume-provisioner', (key) => {
    const claim = allClaims.get(key);
    // A claim with an explicit empty class waits for a volume that somebody else makes.
    if (claim === undefined || claim.spec?.volumeName || claim.spec?.storageClassName === '') return;
    const volume = volumeFor(claim);
    if (allVolumes.get(keyOf(volume)) === undefined) world.create(volumes, volume);
    world.patch(claims, claim, { spec: { volumeName: volume.metadata.name } });
    world.patch(
      claims,
      claim,
      { status: { phase: 'Bound', accessModes: claim.spec?.accessModes ?? [] } },
      'status',
    );
  });
  const reclaimer = world.queue('volume-reclaimer', (key) => {
    const volume = allVolumes.get(key);
    if (volume !== undefined && isReleased(world, volume)) world.remove(volumes, volume);
  });

  allClaims.onChange(({ key, before, after }) => {
    if (after !== undefined) provisioner.add(key);
    else if (before?.spec?.volumeName) reclaimer.add(before.spec.volumeName);
  });
}

function isReleased(world: World, volume: PersistentVolume): boolean {
  const { claimRef, csi, persistentVolumeReclaimPolicy: policy } = volume.spec ?? {};
  if (csi?.driver !== driver || policy !== 'Delete' || claimRef?.name === undefined) return false;
  const claim = world.informer<Claim>(claims).get(toKey(claimRef.namespace, claimRef.name));
  return claim === undefined || uidOf(claim) !== claimRef.uid;
}

function volumeFor(claim: Claim): KubeObject {
  const name = `pvc-${uidOf(claim)}`;
  const { namespace = '' } = claim.metadata;
  const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name: claim.metadata.name };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      capacity: claim.spec?.resources?.requests ?? { storage: '1Gi' },
      accessModes: claim.spec?.accessModes ?? ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Delete',
      ...(claim.spec?.storageClassName && { storageClassName: claim.spec.storageClassName }),
      claimRef: { ...claimRef, uid: uidOf(claim) },
      csi: { driver, volumeHandle: name },
    },
    status: { phase: 'Bound' },
  };
}
