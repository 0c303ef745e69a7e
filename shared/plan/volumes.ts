import type { Assessment } from '../assess/assessment.ts';
import type { AwaitedAttachment } from '../volumes/attachments.ts';
import type { PlannedVolume } from './deletion-plan.ts';
import type { NotGiven } from './missing-node.ts';

/** Of claims and volumes the VolumeAttachment is named where it does not come off. */
export function plannedVolumes(
  { onNode: { detach } }: Pick<Assessment, 'onNode'>,
  { areVolumesMissing = false }: NotGiven,
): PlannedVolume[] {
  if (detach?.kind !== 'attached') return [];
  const { volumes, attachments = [] } = detach;
  const named = (kind: PlannedVolume['kind'], names: string[]): PlannedVolume[] =>
    names.map((name) => ({ kind, name, ...stuckAt(attachments, name) }));
  return [
    ...named('PersistentVolumeClaim', volumes.claims),
    ...named('PersistentVolume', volumes.volumesWithoutClaim),
    ...named('NodeVolume', volumes.unmatchedNodeVolumes),
    ...volumes.unmatchedAttachments
      .flatMap((volume) => staleOf(attachments, volume))
      .map((volume) => ({ ...volume, ...(areVolumesMissing && { isVolumeGiven: false as const }) })),
  ];
}

function stuckAt(
  attachments: readonly AwaitedAttachment[],
  volume: string,
): Pick<PlannedVolume, 'attachment' | 'detachError'> {
  const stuck = attachments.find(
    ({ claim, persistentVolume, detachError }) =>
      detachError !== undefined && (claim ?? persistentVolume) === volume,
  );
  return stuck?.detachError === undefined ? {} : { attachment: stuck.name, detachError: stuck.detachError };
}

const staleOf = (attachments: readonly AwaitedAttachment[], volume: string): PlannedVolume[] =>
  attachments
    .filter(({ isStale, persistentVolume }) => isStale && persistentVolume === volume)
    .map(({ name, persistentVolume, detachError }) => ({
      kind: 'VolumeAttachment',
      name,
      persistentVolume,
      ...(detachError !== undefined && { detachError }),
    }));
