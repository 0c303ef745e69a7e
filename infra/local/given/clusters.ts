import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';
import { type Manifest, ManifestUnreadable } from '../../terminal/manifests.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { clusterOf } from '../load/machine-version.ts';
import { machineGroups } from '../load/served-apis.ts';

/** Namespace and name of a Cluster. */
export interface ClusterName {
  namespace: string;
  name: string;
}

/** `prod/blue`. */
export const sayCluster = ({ namespace, name }: ClusterName): string => `${namespace}/${name}`;

const groups: ReadonlySet<string> = new Set(machineGroups);

/** A Machine of one of the Machine APIs. */
export const isMachineOfAnyApi = (object: KubeObject): boolean =>
  object.kind === 'Machine' && groups.has(groupVersionOf(object).group);

export const nameOf = ({ metadata }: KubeObject): ClusterName => ({
  namespace: metadata.namespace ?? 'default',
  name: metadata.name,
});

/** The Cluster that has the Machine's Node; undefined where that is the cluster of the Machine itself. */
export function clusterNameOf(machine: KubeObject): ClusterName | undefined {
  const [cluster] = clusterOf(machine);
  return cluster === undefined ? undefined : nameOf(cluster);
}

/** The Machines with these names. Without names: those that are being deleted, or else all. */
export function chosenMachines(
  objects: readonly KubeObject[],
  names: readonly ClusterName[] | undefined,
): KubeObject[] {
  const machines = objects.filter(isMachineOfAnyApi);
  if (names !== undefined) {
    const wanted = new Set(names.map(sayCluster));
    return machines.filter((machine) => wanted.has(sayCluster(nameOf(machine))));
  }
  const deleting = machines.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  return deleting.length > 0 ? deleting : machines;
}

/** Manifests of a workload cluster, as they were given. */
export interface GivenWorkload {
  /** Undefined is the only Cluster that there is. */
  cluster: ClusterName | undefined;
  manifests: readonly Manifest[];
}

/** Manifests of the cluster that the Nodes of a Cluster's Machines are in. */
export interface Workload extends ClusterName {
  manifests: readonly Manifest[];
}

/** The workload clusters by the Clusters that lead to them. Throws ManifestUnreadable if that is ambiguous. */
export function workloadsOf(
  management: readonly Manifest[],
  given: readonly GivenWorkload[],
  machines: readonly ClusterName[] | undefined,
): Workload[] {
  const objects = management.map(({ object }) => object);
  const known = new Map(clustersIn(objects).map((one) => [sayCluster(one), one]));
  const found = given.map(({ cluster, manifests }) => ({
    manifests,
    ...(cluster === undefined
      ? theOnlyOne(chosenMachines(objects, machines), known)
      : theNamed(cluster, known)),
  }));
  return [...Map.groupBy(found, sayCluster).values()].flatMap((those) => {
    const [first] = those;
    return first === undefined ? [] : [{ ...first, manifests: those.flatMap((one) => one.manifests) }];
  });
}

const isCluster = (object: KubeObject): boolean =>
  object.kind === 'Cluster' && groups.has(groupVersionOf(object).group);

function clustersIn(objects: readonly KubeObject[]): ClusterName[] {
  return [...objects.filter(isCluster), ...objects.flatMap(clusterOf)].map(nameOf);
}

type Known = ReadonlyMap<string, ClusterName>;

function theNamed(cluster: ClusterName, known: Known): ClusterName {
  if (known.has(sayCluster(cluster))) return cluster;
  throw new ManifestUnreadable(
    `--load-workload: there is no Cluster ${sayCluster(cluster)} in what --load gives (there are: ${sayAll(known)})`,
  );
}

/** That of the Machines in question: others may have theirs. */
function theOnlyOne(machines: readonly KubeObject[], known: Known): ClusterName {
  const concerned = machines.flatMap((machine) => clusterNameOf(machine) ?? []);
  const those: Known = concerned.length > 0 ? new Map(concerned.map((one) => [sayCluster(one), one])) : known;
  const [first, ...others] = those.values();
  if (first !== undefined && others.length === 0) return first;
  const why =
    first === undefined
      ? 'what --load gives has no Cluster'
      : `name its Cluster, as NAMESPACE/CLUSTER=PATH (there are: ${sayAll(those)})`;
  throw new ManifestUnreadable(`--load-workload: ${why}`);
}

const sayAll = (known: Known): string => [...known.keys()].toSorted().join(', ') || 'none';
