import type { NotGiven } from '../../../shared/plan/node.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { identityOf } from '../kubernetes/objects/identity.ts';
import { at, listOf, textAt } from '../kubernetes/server/json.ts';
import { type ClusterName, sayCluster } from './clusters.ts';
import { openShiftCommand, workloadCommand } from './commands.ts';
import {
  clusterObject,
  type Given,
  type GivenMachine,
  givenMachine,
  listed,
  nodesIn,
  sayMachine,
} from './given-machine.ts';
import { hasKind, ofKind, withIdentity } from './given-objects.ts';

/** Only Cluster API looks for a Node that the Machine does not name. */
const searching = 'cluster.x-k8s.io';

/**
 * Whether the Machine has, or may have, a Node that was not given: it is unknown, not absent. Where Nodes of its own cluster
 * were given, one that is not among them does not exist.
 */
export function lacksNode(view: GivenMachine): boolean {
  const { node, nodeName, providerId, group, objects, isNodeClusterGiven } = view;
  if (node !== undefined || clusterObject(view)?.metadata.deletionTimestamp !== undefined) return false;
  const isExpected = nodeName !== undefined || (group === searching && providerId !== undefined);
  return isExpected && !(isNodeClusterGiven && nodesIn(objects).length > 0);
}

/** That its Node was not given, and how to get it. */
export function nodeNotes(view: GivenMachine): string[] {
  if (!lacksNode(view)) return [];
  const { cluster, nodeName } = view;
  const name = nodeName === undefined ? '' : ` (${nodeName})`;
  const missing = `${sayMachine(view)}: its Node was not given${name}: its Pods and volumes are unknown, and a run goes on as if there were none`;
  return cluster === undefined
    ? [missing, `to get it: ${openShiftCommand}`]
    : [missing, `to get the Nodes of Cluster ${sayCluster(cluster)}: ${workloadCommand(cluster)}`];
}

/** Only Cluster API waits for volumes. */
const waiting = 'cluster.x-k8s.io';

/** How the Node's status names a volume that has a PersistentVolume. */
const csi = 'kubernetes.io/csi/';

/**
 * That the PersistentVolumes attached to the Node were not given. Only they tell which volumes are of Pods that stay.
 * Where a dump has some it has all, and one that is not among them does not exist.
 */
export function volumeNotes({ group, node, objects }: GivenMachine): string[] {
  if (group !== waiting || node === undefined) return [];
  if (!lacksVolumes({ objects })) return [];
  const attached = [
    ...attachedTo(node),
    ...ofKind(objects, 'VolumeAttachment').flatMap((object) => attachedBy(object, node)),
  ];
  if (attached.length === 0) return [];
  return [
    `PersistentVolumes were not given, so on Node ${node.metadata.name} volumes of Pods that stay are waited for, too: ${listed([...new Set(attached)])}`,
  ];
}

/** Whether PersistentVolumes were not given. */
const lacksVolumes = ({ objects }: Pick<GivenMachine, 'objects'>): boolean =>
  !hasKind(objects, 'PersistentVolume');

const attachedTo = (node: KubeObject): string[] =>
  listOf(at(node, 'status', 'volumesAttached'))
    .map((one) => textAt(one, 'name'))
    .filter((name) => name.startsWith(csi));

function attachedBy(object: KubeObject, node: KubeObject): string[] {
  if (textAt(object, 'spec', 'nodeName') !== node.metadata.name) return [];
  const volume = textAt(object, 'spec', 'source', 'persistentVolumeName');
  return volume === '' ? [] : [volume];
}

/** What was not given of the Machine of this name: it is unknown, not absent. */
export function notGivenOf(ref: ClusterName & { apiVersion: string }, given: Given): NotGiven {
  const { apiVersion, namespace, name } = ref;
  const wanted = identityOf({ apiVersion, kind: 'Machine', metadata: { namespace, name } });
  const machine = withIdentity(given.management, wanted);
  if (machine === undefined) return {};
  const view = givenMachine(machine, given);
  return { isNodeMissing: lacksNode(view), areVolumesMissing: lacksVolumes(view) };
}
