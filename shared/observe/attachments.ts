import type { Node } from '../kubernetes/objects.ts';
import { volumeAttachments } from '../kubernetes/resources.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import { type AttachmentReading, readAttachments } from '../volumes/attached.ts';
import { attachmentsOf, heldAttachment, type NodeAttachment } from '../volumes/attachments.ts';

interface Attachments {
  reading: AttachmentReading;
  /** Version of the list of VolumeAttachments, for a watch that goes on from there; empty when none was read. */
  resourceVersion: string;
}

/** What is attached to the Node: by its own status and, unless configured otherwise, by VolumeAttachments. */
export async function observeAttachments(
  snapshot: Snapshot,
  node: Node,
  maxAgeMilliseconds = 0,
): Promise<Attachments> {
  if (!snapshot.considersVolumeAttachments)
    return { reading: readAttachments(node, []), resourceVersion: '' };
  const { items, resourceVersion } = await snapshot.sharedList(
    'workload',
    volumeAttachments,
    heldAttachment,
    maxAgeMilliseconds,
  );
  return { reading: readAttachments(node, items), resourceVersion };
}

/** The same by their own names. The list is the one that this look has read. */
export async function observeNodeAttachments(snapshot: Snapshot, node: Node): Promise<NodeAttachment[]> {
  if (!snapshot.considersVolumeAttachments) return [];
  const { items } = await snapshot.sharedList('workload', volumeAttachments, heldAttachment);
  return attachmentsOf(node, items);
}
