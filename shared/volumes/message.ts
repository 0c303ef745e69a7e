import { listOf } from '../text/truncate.ts';
import { type Instant, rfc3339Seconds } from '../time/clock.ts';
import type { AttachedVolumes } from './attached.ts';

const shownNames = 5;

/** The message while volumes are still attached, as Cluster API words it. `startedAt`: when the wait began. */
export function volumeMessage(volumes: AttachedVolumes, startedAt: Instant): string {
  const lines = [
    line('PersistentVolumeClaims', volumes.claims),
    line(
      'PersistentVolumes without a .spec.claimRef to a PersistentVolumeClaim',
      volumes.volumesWithoutClaim,
    ),
    line(
      'Node with .status.volumesAttached entries not matching a PersistentVolume',
      volumes.unmatchedNodeVolumes,
    ),
    line(
      'VolumeAttachment with .spec.source.persistentVolumeName not matching a PersistentVolume',
      volumes.unmatchedAttachments,
    ),
  ];
  const head = `Waiting for Node volumes to be detached (started at ${rfc3339Seconds(startedAt)})`;
  return [head, ...lines.flat()].join('\n');
}

const line = (what: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`* ${what}: ${listOf(names, shownNames)}`];
