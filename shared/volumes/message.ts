import { listOf } from '../text/truncate.ts';
import { type Instant, rfc3339Seconds } from '../time/clock.ts';
import type { AttachedVolumes } from './attached.ts';
import type { AwaitedAttachment } from './attachments.ts';

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

const shownLines = 5;

/**
 * What Cluster API's message leaves out of what is attached. It is the VolumeAttachment by its own name, and why it does not
 * come off. Those that come off as they should are left out.
 */
export function attachmentRemarks(attachments: readonly AwaitedAttachment[]): string[] {
  const lines = attachments
    .filter(({ isStale, detachError }) => isStale || detachError !== undefined)
    .map(remarkOn);
  const more = lines.length - shownLines;
  return more > 0 ? [...lines.slice(0, shownLines), `... and ${more} more VolumeAttachments`] : lines;
}

function remarkOn({ name, persistentVolume, isStale, detachError }: AwaitedAttachment): string {
  const of = `VolumeAttachment ${name} of PersistentVolume ${persistentVolume}`;
  const gone = isStale ? ', which does not exist' : '';
  return detachError === undefined ? `${of}${gone}` : `${of}${gone}: detaching failed: ${detachError}`;
}
