import type { KubeObject, Node, PersistentVolume, VolumeAttachment } from '../kubernetes/objects.ts';
import { compareBytes } from '../text/byte-order.ts';
import { cut } from '../text/truncate.ts';
import { claimOf } from './attached.ts';

/** A VolumeAttachment of the Node that is attached, by its own name. */
export interface NodeAttachment {
  name: string;
  persistentVolume: string;
  /** The driver that detaches it. */
  attacher?: string;
  /** What the attacher said when it last tried to detach it, in one line. */
  detachError?: string;
}

/** One whose volume has to come off. */
export interface AwaitedAttachment extends NodeAttachment {
  /** `namespace/name` of the claim, where its PersistentVolume has one. */
  claim?: string;
  /** Its PersistentVolume does not exist. */
  isStale: boolean;
}

/** Sorted by name. One that names no PersistentVolume fails the look elsewhere. */
export function attachmentsOf(
  { metadata }: Node,
  volumeAttachments: readonly VolumeAttachment[],
): NodeAttachment[] {
  return volumeAttachments
    .filter(({ spec, status }) => spec?.nodeName === metadata.name && status?.attached === true)
    .map(attachmentOf)
    .toSorted((a, b) => compareBytes(a.name, b.name));
}

function attachmentOf({ metadata, spec, status }: VolumeAttachment): NodeAttachment {
  const error = status?.detachError?.message?.replaceAll(/\s+/g, ' ').trim();
  return {
    name: metadata.name,
    persistentVolume: spec?.source?.persistentVolumeName ?? '',
    ...(spec?.attacher !== undefined && { attacher: spec.attacher }),
    ...(error ? { detachError: error } : {}),
  };
}

/** Those of volumes that are waited for: the volumes of Pods that stay are left out. */
export function awaitedAttachments(
  attachments: readonly NodeAttachment[],
  persistentVolumes: readonly PersistentVolume[],
  ignoredClaims: ReadonlySet<string>,
): AwaitedAttachment[] {
  const byName = new Map(persistentVolumes.map((volume) => [volume.metadata.name, volume]));
  return attachments
    .map((attachment) => {
      const volume = byName.get(attachment.persistentVolume);
      const claim = volume && claimOf(volume);
      return { ...attachment, isStale: volume === undefined, ...(claim !== undefined && { claim }) };
    })
    .filter(({ claim }) => claim === undefined || !ignoredClaims.has(claim));
}

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
