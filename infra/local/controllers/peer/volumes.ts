import { listOf } from '../../../../shared/text/truncate.ts';
import {
  keyOf,
  type Node,
  type PersistentVolume,
  toKey,
  type VolumeAttachment,
} from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { isUnreachable } from '../nodes/nodes.ts';
import { csiName, onNode } from '../volumes/volume-attachment.ts';
import { byClaim } from '../workloads/pods.ts';
import { isUndrained, podsOn } from './pods.ts';
import { begun, type Step, tell } from './step.ts';

const limits = {
  exclusion: 'exclude-wait-for-node-volume-detach',
  start: 'waitForNodeVolumeDetachStartTime',
  limit: 'nodeVolumeDetachTimeout',
} as const;

const type = 'VolumeDetachSucceeded';

/** Waits until no volume is attached to the Node, but for those of Pods that stay on it. */
export const detached: Step = (pass) => {
  const start = begun(pass, limits);
  if (start === undefined) return undefined;
  const { node, nodes, nodeName, said } = pass;
  const left = node === undefined || isUnreachable(node) ? [] : attachedTo(nodes, node);
  if (left.length === 0) {
    said.set(type, { status: 'True' });
    const message = `success waiting for node volumes detaching Machine's node "${nodeName}"`;
    tell(pass, { reason: 'NodeVolumesDetached', message });
    return undefined;
  }
  const reason = 'WaitingForVolumeDetach';
  const message = 'Waiting for node volumes to be detached';
  said.set(type, { status: 'False', reason, severity: 'Info', message });
  const heading = `Waiting for Node volumes to be detached (started at ${start})`;
  return { reason, message: [heading, ...left].join('\n'), again: true };
};

/** Lines that say what is attached, each kind of thing in its own. */
function attachedTo(world: World, node: Node): string[] {
  const nodeName = node.metadata.name;
  const reported = new Set((node.status?.volumesAttached ?? []).map(({ name }) => name));
  const attachments = world.informer<VolumeAttachment>('volumeattachments.storage.k8s.io');
  const attached = new Set(
    attachments
      .in(onNode, nodeName)
      .filter(({ status }) => status?.attached === true)
      .map(({ spec }) => spec?.source?.persistentVolumeName ?? ''),
  );
  const kept = new Set(
    podsOn(world, node)
      .filter((pod) => isUndrained(world, pod))
      .flatMap(byClaim),
  );
  const claims: string[] = [];
  const unclaimed: string[] = [];
  for (const volume of world.informer<PersistentVolume>('persistentvolumes').all()) {
    const isReported = reported.delete(csiName(volume));
    const isAttached = attached.delete(keyOf(volume));
    if (!isReported && !isAttached) continue;
    const { namespace, name } = volume.spec?.claimRef ?? {};
    if (name === undefined) unclaimed.push(keyOf(volume));
    else if (!kept.has(toKey(namespace, name))) claims.push(toKey(namespace, name));
  }
  return [
    ...line('PersistentVolumeClaims', claims),
    ...line('PersistentVolumes without a .spec.claimRef to a PersistentVolumeClaim', unclaimed),
    ...line('Node with .status.volumesAttached entries not matching a PersistentVolume', [...reported]),
    ...line('VolumeAttachment with .spec.source.persistentVolumeName not matching a PersistentVolume', [
      ...attached,
    ]),
  ];
}

const line = (what: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`* ${what}: ${listOf(names.toSorted(), 5)}`];
