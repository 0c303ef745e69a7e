import { createHash } from 'node:crypto';
import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import {
  type Claim,
  keyOf,
  type Node,
  type PersistentVolume,
  type Pod,
  type VolumeAttachment,
} from '../machinery/objects.ts';
import { Stopwatch } from '../machinery/stopwatch.ts';
import { type World } from '../machinery/world.ts';
import { isUnreachable } from '../nodes/nodes.ts';
import { byClaim, byNode, isFinished, unbound } from '../workloads/pods.ts';

const resource = 'volumeattachments.storage.k8s.io';

/** Attaches the CSI volumes of a Node's Pods, and detaches each a while after the last Pod that uses it. */
export function volumeAttachments(world: World): void {
  const nodes = world.informer<Node>('nodes');
  const attachments = world.informer<VolumeAttachment>(resource);
  const unused = new Stopwatch(world.clock);
  const names: ReportedNames = new Map();

  const queue = world.queue('volume-attachment', (nodeName) => {
    const node = nodes.get(nodeName);
    const used = node === undefined ? new Map<string, PersistentVolume>() : volumesUsedOn(world, nodeName);
    const present = new Set<string>();
    for (const attachment of attachments.in(onNode, nodeName)) {
      const volume = attachment.spec?.source?.persistentVolumeName ?? '';
      present.add(volume);
      if (used.has(volume)) unused.forget(keyOf(attachment));
      else release(attachment, node);
    }
    for (const [name, volume] of used) if (!present.has(name)) attach(world, nodeName, volume);
    if (node !== undefined) reportAttached(world, node, names);
  });

  function release(attachment: VolumeAttachment, node: Node | undefined): void {
    const { detachSeconds, forcedDetachSeconds } = world.settings;
    const due = unused.due(
      keyOf(attachment),
      node && isUnreachable(node) ? forcedDetachSeconds : detachSeconds,
    );
    if (node !== undefined && due > world.clock.now())
      return queue.addAt(attachment.spec?.nodeName ?? '', due);
    unused.forget(keyOf(attachment));
    world.remove(resource, attachment);
  }

  followNodes(world, (nodeName) => queue.add(nodeName));
}

function followNodes(world: World, look: (nodeName: string) => void): void {
  const pods = world.informer<Pod>('pods');
  pods.onChange(({ before, after }) => {
    const pod = after ?? before;
    const isNews =
      before === undefined || after === undefined || before.spec?.nodeName !== after.spec?.nodeName;
    const hasEnded = after !== undefined && isFinished(after);
    if (pod?.spec?.nodeName && pod.spec.volumes && (isNews || hasEnded)) look(pod.spec.nodeName);
  });
  world.informer<Node>('nodes').onChange(({ key, before, after }) => {
    if (!before || !after || isUnreachable(before) !== isUnreachable(after)) look(key);
  });
  world.informer<VolumeAttachment>(resource).onChange(({ before, after }) => {
    const nodeName = (after ?? before)?.spec?.nodeName;
    if (nodeName !== undefined) look(nodeName);
  });
  world.informer<Claim>('persistentvolumeclaims').onChange(({ before, after }) => {
    if (after === undefined || before?.spec?.volumeName === after.spec?.volumeName) return;
    for (const pod of pods.in(byClaim, keyOf(after))) look(pod.spec?.nodeName ?? unbound);
  });
}

function volumesUsedOn(world: World, nodeName: string): Map<string, PersistentVolume> {
  const claims = world.informer<Claim>('persistentvolumeclaims');
  const volumes = world.informer<PersistentVolume>('persistentvolumes');
  const used = new Map<string, PersistentVolume>();
  for (const pod of world.informer<Pod>('pods').in(byNode, nodeName)) {
    if (isFinished(pod)) continue;
    for (const claim of byClaim(pod)) {
      const volume = volumes.get(claims.get(claim)?.spec?.volumeName ?? '');
      if (volume?.spec?.csi !== undefined) used.set(volume.metadata.name, volume);
    }
  }
  return used;
}

function attach(world: World, nodeName: string, volume: PersistentVolume): void {
  const { driver = '', volumeHandle = '' } = volume.spec?.csi ?? {};
  const hash = createHash('sha256').update(`${volumeHandle}${driver}${nodeName}`).digest('hex');
  const attachment: KubeObject = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: `csi-${hash}` },
    spec: { attacher: driver, nodeName, source: { persistentVolumeName: volume.metadata.name } },
  };
  const created = world.create(resource, attachment);
  world.writeStatus(resource, created, { attached: true });
}

export const onNode = (attachment: VolumeAttachment): readonly string[] => [attachment.spec?.nodeName ?? ''];

/** Names under which a Node reports its attachments, remembered because a volume may be gone before its attachment. */
type ReportedNames = Map<string, { nodeName: string; name: string }>;

// Entries that stem from no attachment of ours, for example from a dump of another cluster, are left alone.
function reportAttached(world: World, node: Node, names: ReportedNames): void {
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
  world.writeStatus('nodes', node, { volumesAttached, volumesInUse });
}

function reportedName(world: World, attachment: VolumeAttachment): string | undefined {
  const volumes = world.informer<PersistentVolume>('persistentvolumes');
  const volume = volumes.get(attachment.spec?.source?.persistentVolumeName ?? '');
  return volume?.spec?.csi && csiName(volume);
}

/** As a Node reports the volume. */
export const csiName = ({ spec }: PersistentVolume): string =>
  `kubernetes.io/csi/${spec?.csi?.driver}^${spec?.csi?.volumeHandle}`;
