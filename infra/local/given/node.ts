import { sayCluster } from './clusters.ts';
import { openShiftCommand, workloadCommand } from './commands.ts';
import { clusterObject, type GivenMachine, isNode, sayMachine } from './given-machine.ts';

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
  return isExpected && !(isNodeClusterGiven && objects.some(isNode));
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
