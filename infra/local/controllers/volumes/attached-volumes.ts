import { keyOf } from '../machinery/keys.ts';
import type { Node, PersistentVolume, VolumeAttachment } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';

const resource = 'volumeattachments.storage.k8s.io';

export const onNode = (attachment: VolumeAttachment): readonly string[] => [attachment.spec?.nodeName ?? ''];

/** Names under which a Node reports its attachments, remembered because a volume may be gone before its attachment. */
export type ReportedNames = Map<string, { nodeName: string; name: string }>;

// Entries that stem from no attachment of ours, for example from a dump of another cluster, are left alone.
export function reportAttached(world: World, node: Node, names: ReportedNames): void {
  const attachments = world.informer<VolumeAttachment>(resource);
  const nodeName = node.metadata.name;
  for (const attachment of attachments.in(onNode, nodeName)) {
    const name = reportedName(world, attachment);
    if (name !== undefined) names.set(keyOf(attachment), { nodeName, name });
  }
  const before = (node.status?.volumesAttached ?? []).map(({ name }) => name);
  const after = new Set(before);
  for (const [key, known] of names) {
    if (known.nodeName !== nodeName) continue;
    if (attachments.get(key) !== undefined) after.add(known.name);
    else after.delete(known.name);
    if (attachments.get(key) === undefined) names.delete(key);
  }
  if (after.size === before.length && before.every((name) => after.has(name))) return;
  const volumesInUse = [...after].toSorted();
  const volumesAttached = volumesInUse.map((name) => ({ name, devicePath: '' }));
  world.patch('nodes', node, { status: { volumesAttached, volumesInUse } }, 'status');
}

function reportedName(world: World, attachment: VolumeAttachment): string | undefined {
  const volumes = world.informer<PersistentVolume>('persistentvolumes');
  const csi = volumes.get(attachment.spec?.source?.persistentVolumeName ?? '')?.spec?.csi;
  return csi === undefined ? undefined : `kubernetes.io/csi/${csi.driver}^${csi.volumeHandle}`;
}
