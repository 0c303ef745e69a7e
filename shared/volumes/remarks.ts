import type { AwaitedAttachment } from './attachments.ts';

const shownLines = 5;

/**
 * What Cluster API's message does not say of what is attached: the VolumeAttachment by its own name, and why it does not
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
