import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import {
  type Claim,
  isTerminating,
  keyOf,
  type PersistentVolume,
  toKey,
  uidOf,
} from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';

const driver = 'csi.local.phaseout.dev';

const claims = 'persistentvolumeclaims';
const volumes = 'persistentvolumes';

/** Makes a volume for every claim that has none and binds the two. The volume goes with its claim. */
export function volumeProvisioner(world: World): void {
  const allClaims = world.informer<Claim>(claims);
  const allVolumes = world.informer<PersistentVolume>(volumes);

  const binder = world.queue('volume-provisioner', (key) => {
    const claim = allClaims.get(key);
    if (claim === undefined || isTerminating(claim)) return;
    if (claim.spec?.volumeName) return bind(world, claim, allVolumes.get(claim.spec.volumeName));
    // A claim with an explicit empty class waits for a volume from another source.
    if (claim.spec?.storageClassName === '') return;
    const volume = volumeFor(claim);
    if (allVolumes.get(keyOf(volume)) === undefined) world.create(volumes, volume);
    world.patch(claims, claim, { spec: { volumeName: volume.metadata.name } });
  });
  const reclaimer = world.queue('volume-reclaimer', (key) => {
    const volume = allVolumes.get(key);
    if (volume !== undefined && !isTerminating(volume) && isReleased(world, volume))
      world.remove(volumes, volume);
  });

  allClaims.onChange(({ key, before, after }) => {
    if (after !== undefined) binder.add(key);
    else if (before?.spec?.volumeName) reclaimer.add(before.spec.volumeName);
  });
  allVolumes.onChange(({ key, after }) => {
    const { namespace, name } = after?.spec?.claimRef ?? {};
    if (name !== undefined) binder.add(toKey(namespace, name));
    for (const claim of allClaims.in(byVolume, key)) binder.add(keyOf(claim));
  });
}

const byVolume = (claim: Claim): readonly string[] => [claim.spec?.volumeName ?? ''];

function bind(world: World, claim: Claim, volume: PersistentVolume | undefined): void {
  if (volume === undefined) return;
  if (volume.spec?.claimRef === undefined) {
    world.patch(volumes, volume, { spec: { claimRef: referenceTo(claim) } });
  }
  if (volume.status?.phase !== 'Bound') world.writeStatus(volumes, volume, { phase: 'Bound' });
  if (claim.status?.phase === 'Bound') return;
  world.writeStatus(claims, claim, { phase: 'Bound', accessModes: claim.spec?.accessModes ?? [] });
}

function referenceTo(claim: Claim): object {
  const { name, namespace = '' } = claim.metadata;
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid: uidOf(claim) };
}

function isReleased(world: World, volume: PersistentVolume): boolean {
  const { claimRef, csi, persistentVolumeReclaimPolicy: policy } = volume.spec ?? {};
  if (csi?.driver !== driver || policy !== 'Delete' || claimRef?.name === undefined) return false;
  const claim = world.informer<Claim>(claims).get(toKey(claimRef.namespace, claimRef.name));
  return claim === undefined || uidOf(claim) !== claimRef.uid;
}

function volumeFor(claim: Claim): KubeObject {
  const name = `pvc-${uidOf(claim)}`;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      capacity: claim.spec?.resources?.requests ?? { storage: '1Gi' },
      accessModes: claim.spec?.accessModes ?? ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Delete',
      ...(claim.spec?.storageClassName && { storageClassName: claim.spec.storageClassName }),
      claimRef: referenceTo(claim),
      csi: { driver, volumeHandle: name },
    },
  };
}
