import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';
import { groupOfReference } from '../kubernetes/discovery/resource.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { identityOf } from '../kubernetes/objects/identity.ts';
import { at, textAt } from '../kubernetes/server/json.ts';
import { type ClusterName, clusterNameOf, nameOf, sayCluster, type Workload } from './clusters.ts';
import { objectsIn, ofKind, podsOn, withIdentity } from './given-objects.ts';

/** What the user gave instead of clusters. */
export interface Given {
  /** Of the cluster that has the Machines. */
  management: readonly KubeObject[];
  /** Of the clusters that have their Nodes, where those were given by themselves. */
  workloads: readonly Workload[];
}

/** A Machine, with what was given of the cluster that its Node is in. */
export interface GivenMachine {
  machine: KubeObject;
  /** Of its Machine API. */
  group: string;
  /** Undefined where its Node is in the cluster of the Machine. */
  cluster: ClusterName | undefined;
  management: readonly KubeObject[];
  /** Of the cluster that its Node is in; where that was not given by itself, all there is. */
  objects: readonly KubeObject[];
  /** The cluster of its Node was given, and nothing else is among the objects. */
  isNodeClusterGiven: boolean;
  nodeName: string | undefined;
  providerId: string | undefined;
  node: KubeObject | undefined;
  /** On its Node. */
  pods: readonly KubeObject[];
}

export function givenMachine(machine: KubeObject, { management, workloads }: Given): GivenMachine {
  const cluster = clusterNameOf(machine);
  const apart = cluster && workloads.find((one) => sayCluster(one) === sayCluster(cluster));
  const objects = apart === undefined ? management : objectsIn(apart.manifests);
  const nodeName = textAt(machine, 'status', 'nodeRef', 'name') || undefined;
  const providerId = providerIdOf(machine, management);
  const isOwn = (node: KubeObject): boolean =>
    nodeName === undefined
      ? providerId !== undefined && textAt(node, 'spec', 'providerID') === providerId
      : node.metadata.name === nodeName;
  const node = nodesIn(objects).find(isOwn);
  return {
    machine,
    group: groupVersionOf(machine).group,
    cluster,
    management,
    objects,
    isNodeClusterGiven: apart !== undefined || cluster === undefined,
    nodeName,
    providerId,
    node,
    pods: node === undefined ? [] : podsOn(objects, node.metadata.name),
  };
}

export const isNode = ({ kind, apiVersion }: KubeObject): boolean => kind === 'Node' && apiVersion === 'v1';

/** The Nodes among the objects. */
export const nodesIn = (objects: readonly KubeObject[]): KubeObject[] =>
  ofKind(objects, 'Node').filter(isNode);

/** Its infrastructure knows it before the Machine does. */
function providerIdOf(machine: KubeObject, management: readonly KubeObject[]): string | undefined {
  const own = textAt(machine, 'spec', 'providerID');
  if (own !== '') return own;
  const reference = at(machine, 'spec', 'infrastructureRef');
  const { namespace } = nameOf(machine);
  const wanted = identityOf({
    apiVersion: `${groupOfReference(reference)}/`,
    kind: textAt(reference, 'kind'),
    metadata: { namespace, name: textAt(reference, 'name') },
  });
  const server = withIdentity(management, wanted);
  return textAt(server, 'spec', 'providerID') || undefined;
}

/** The Cluster object of the Machine. */
export function clusterObject({ machine, cluster, management }: GivenMachine): KubeObject | undefined {
  if (cluster === undefined) return undefined;
  const { apiVersion = '' } = machine;
  const wanted = identityOf({ apiVersion, kind: 'Cluster', metadata: { ...cluster } });
  return withIdentity(management, wanted);
}

/** `Machine prod/md-1`. */
export const sayMachine = ({ machine }: GivenMachine): string => `Machine ${sayCluster(nameOf(machine))}`;

const longest = 10;

/** Names in one line; of very many the first ones, and how many more there are. */
export function listed(names: readonly string[]): string {
  const sorted = names.toSorted();
  const left = sorted.length - longest;
  return left <= 0 ? sorted.join(', ') : `${sorted.slice(0, longest).join(', ')} and ${left} more`;
}
