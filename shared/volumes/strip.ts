import type { KubeObject, PersistentVolume, VolumeAttachment } from '../kubernetes/objects.ts';
import { cut } from '../text/truncate.ts';

/** What is held of each VolumeAttachment of a cluster: there may be tens of thousands of them. */
export function heldAttachment(object: KubeObject): VolumeAttachment {
  const { metadata, spec, status }: VolumeAttachment = object;
  return {
    metadata: { name: metadata.name },
    spec: {
      ...(spec?.nodeName !== undefined && { nodeName: spec.nodeName }),
      ...(spec?.attacher !== undefined && { attacher: spec.attacher }),
      source: persistentSource(spec?.source),
    },
    ...(status?.attached !== undefined && { status: heldStatus(status) }),
  };
}

/** Why a volume does not come off is told to people; an error may be as long as a page. */
const longestError = 300;

function heldStatus({ attached, detachError }: NonNullable<VolumeAttachment['status']>): {
  attached?: boolean;
  detachError?: { message: string };
} {
  const message = detachError?.message;
  return {
    ...(attached !== undefined && { attached }),
    ...(message ? { detachError: { message: cut(message, longestError) } } : {}),
  };
}

const persistentSource = (source: { persistentVolumeName?: string } = {}): typeof source =>
  source.persistentVolumeName === undefined ? {} : { persistentVolumeName: source.persistentVolumeName };

/** What is held of each PersistentVolume of a cluster. */
export function heldVolume(object: KubeObject): PersistentVolume {
  const { metadata, spec }: PersistentVolume = object;
  const { claimRef, csi } = spec ?? {};
  return {
    metadata: { name: metadata.name },
    spec: {
      ...(claimRef && { claimRef: heldClaim(claimRef) }),
      ...(csi && { csi: { driver: csi.driver, volumeHandle: csi.volumeHandle } }),
    },
  };
}

type ClaimRef = NonNullable<NonNullable<PersistentVolume['spec']>['claimRef']>;

const heldClaim = ({ kind, namespace, name }: ClaimRef): ClaimRef => ({
  ...(kind !== undefined && { kind }),
  ...(namespace !== undefined && { namespace }),
  ...(name !== undefined && { name }),
});
