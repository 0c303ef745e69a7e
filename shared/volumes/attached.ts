import type { PodVerdict, VerdictFailure } from '../drain/verdict.ts';
import { claimsOf, type Node, type PersistentVolume, type VolumeAttachment } from '../kubernetes/objects.ts';
import { sortedByBytes } from '../text/byte-order.ts';

/** What says that something is attached to the Node, by the names each source has for it. */
export interface AttachedNames {
  /** `status.volumesAttached` of the Node, for example `kubernetes.io/csi/<driver>^<handle>`. */
  nodeVolumes: ReadonlySet<string>;
  /** PersistentVolumes of the Node's VolumeAttachments. */
  persistentVolumes: ReadonlySet<string>;
}

/** What VolumeAttachments say of a Node. */
export type AttachmentReading =
  | { kind: 'read'; attached: AttachedNames }
  | { kind: 'failed'; failure: VerdictFailure };

/** What is attached to the Node. Volumes that are only in use, or attachments not yet made, do not count. */
export function readAttachments(
  node: Node,
  volumeAttachments: readonly VolumeAttachment[],
): AttachmentReading {
  const persistentVolumes = new Set<string>();
  for (const { metadata, spec, status } of volumeAttachments) {
    if (spec?.nodeName !== node.metadata.name || status?.attached !== true) continue;
    const name = spec.source?.persistentVolumeName;
    if (!name)
      return failed(`spec.source.persistentVolumeName for VolumeAttachment ${metadata.name} is not set`);
    persistentVolumes.add(name);
  }
  const nodeVolumes = new Set(node.status?.volumesAttached?.map(({ name }) => name));
  return { kind: 'read', attached: { nodeVolumes, persistentVolumes } };
}

const failed = (message: string): AttachmentReading => ({ kind: 'failed', failure: { message } });

/** Whether anything is attached at all: if not, PersistentVolumes, Pods and rules need not be read. */
export const volumesToIgnoreMatter = ({ nodeVolumes, persistentVolumes }: AttachedNames): boolean =>
  nodeVolumes.size + persistentVolumes.size > 0;

/** `namespace/name` of the claims of Pods that stay on the Node: their volumes stay with them. */
export function claimsToIgnore(verdicts: readonly PodVerdict[]): Set<string> {
  const skipped = verdicts.filter(({ behavior }) => behavior === 'Skip');
  return new Set(skipped.flatMap(({ pod }) => claimsOf(pod)));
}

/** Why it cannot be told whose volumes to ignore, when Pods could not be judged. */
export const cannotIgnoreClaims = ({ message }: VerdictFailure): VerdictFailure => ({
  message: `failed to find PersistentVolumeClaims from Pods ignored during drain: ${message}`,
});

/** What still has to be detached, each list sorted. */
export interface AttachedVolumes {
  /** `namespace/name` of PersistentVolumeClaims. */
  claims: string[];
  /** PersistentVolumes that are bound to no claim: nothing says they could be ignored. */
  volumesWithoutClaim: string[];
  /** Names in the Node's status that no PersistentVolume has; in-tree volumes never have one. */
  unmatchedNodeVolumes: string[];
  /** PersistentVolumes of VolumeAttachments that do not exist. */
  unmatchedAttachments: string[];
}

/** Matches what is attached with the cluster's PersistentVolumes, and leaves out the claims to ignore. */
export function findAttachedVolumes(
  attached: AttachedNames,
  persistentVolumes: readonly PersistentVolume[],
  ignored: ReadonlySet<string>,
): AttachedVolumes {
  const matching = persistentVolumes.filter(
    (volume) =>
      attached.persistentVolumes.has(volume.metadata.name) || attached.nodeVolumes.has(csiName(volume) ?? ''),
  );
  const claims = matching.map(claimOf).filter((claim) => claim !== undefined);
  const known = new Set(matching.map((volume) => volume.metadata.name));
  const knownToNode = new Set(matching.map(csiName));
  return {
    claims: sortedByBytes(new Set(claims.filter((claim) => !ignored.has(claim)))),
    volumesWithoutClaim: sortedByBytes(
      matching.filter((volume) => claimOf(volume) === undefined).map(({ metadata }) => metadata.name),
    ),
    unmatchedNodeVolumes: sortedByBytes(attached.nodeVolumes).filter((name) => !knownToNode.has(name)),
    unmatchedAttachments: sortedByBytes(attached.persistentVolumes).filter((name) => !known.has(name)),
  };
}

/** How the Node's status names a CSI volume. */
const csiName = ({ spec }: PersistentVolume): string | undefined =>
  spec?.csi ? `kubernetes.io/csi/${spec.csi.driver}^${spec.csi.volumeHandle}` : undefined;

/** `namespace/name` of the claim that it is bound to. */
export function claimOf({ spec }: PersistentVolume): string | undefined {
  const claim = spec?.claimRef;
  return claim?.kind === 'PersistentVolumeClaim' ? `${claim.namespace ?? ''}/${claim.name ?? ''}` : undefined;
}

/** Nothing is left to wait for. */
export const isDetached = (volumes: AttachedVolumes): boolean =>
  Object.values(volumes).every((names: string[]) => names.length === 0);
