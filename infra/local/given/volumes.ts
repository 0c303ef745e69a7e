import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { at, listOf, textAt } from '../kubernetes/server/json.ts';
import { type GivenMachine, listed } from './given-machine.ts';

/** Only Cluster API waits for volumes. */
const waiting = 'cluster.x-k8s.io';

/** How the Node's status names a volume that has a PersistentVolume. */
const csi = 'kubernetes.io/csi/';

/**
 * That the PersistentVolumes of what is attached to the Node were not given: only they tell which volumes are of Pods that
 * stay. Where a dump has some it has all, and one that is not among them does not exist.
 */
export function volumeNotes({ group, node, objects }: GivenMachine): string[] {
  if (group !== waiting || node === undefined) return [];
  if (!lacksVolumes({ objects })) return [];
  const attached = [...attachedTo(node), ...objects.flatMap((object) => attachedBy(object, node))];
  if (attached.length === 0) return [];
  return [
    `PersistentVolumes were not given, so on Node ${node.metadata.name} volumes of Pods that stay are waited for, too: ${listed([...new Set(attached)])}`,
  ];
}

/** Whether PersistentVolumes were not given. */
export const lacksVolumes = ({ objects }: Pick<GivenMachine, 'objects'>): boolean =>
  !objects.some(({ kind }) => kind === 'PersistentVolume');

const attachedTo = (node: KubeObject): string[] =>
  listOf(at(node, 'status', 'volumesAttached'))
    .map((one) => textAt(one, 'name'))
    .filter((name) => name.startsWith(csi));

function attachedBy(object: KubeObject, node: KubeObject): string[] {
  if (object.kind !== 'VolumeAttachment' || textAt(object, 'spec', 'nodeName') !== node.metadata.name)
    return [];
  const volume = textAt(object, 'spec', 'source', 'persistentVolumeName');
  return volume === '' ? [] : [volume];
}
