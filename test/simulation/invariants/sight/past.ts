import type { Cluster, KubeObject } from '../../../../infra/local/kubernetes/cluster.ts';
import { management } from '../../platform/clusters.ts';
import type { World } from '../../world.ts';

/** All clusters as they are, or as they were at one moment. */
export interface View {
  get(host: string, resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
  list(host: string, resource: string): readonly KubeObject[];
}

/** Clusters as they were at one moment, and all else as it was at another: they are read apart. */
export const withClustersOf = (clusters: View, others: View): View => {
  const ofKind = (resource: string): View => (resource.startsWith('clusters.') ? clusters : others);
  return {
    get: (host, resource, namespace, name) => ofKind(resource).get(host, resource, namespace, name),
    list: (host, resource) => ofKind(resource).list(host, resource),
  };
};

/** What was so before it is so now. */
export interface Past {
  /** As all is at this moment. */
  readonly present: View;
  /** Every state there was since then, the latest one first, and the one that it began with. */
  since(at: number): Iterable<View>;
  /** How many objects of a kind have changed so far, on all hosts. */
  changesOf(resource: string): number;
}

interface Version {
  change: number;
  object: KubeObject | undefined;
}

const beside = ['pods', 'nodes', 'namespaces', 'daemonsets.apps', 'volumeattachments.storage.k8s.io'];
const beyond = [...beside, 'secrets', 'persistentvolumes', 'poddisruptionbudgets.policy'];
const ofMachines = /\.(cluster\.x-k8s\.io|machine\.openshift\.io|cluster\.k8s\.io)$/;

const remembered = (host: string, cluster: Cluster): string[] =>
  cluster
    .resources()
    .filter((resource) => beyond.includes(resource) || (host === management && ofMachines.test(resource)));

/** Remembers from now on. */
export function rememberPast(world: World): Past {
  const versions = new Map<string, Map<string, Version[]>>();
  const times: number[] = [];
  const counts = new Map<string, number>();

  const remember = (host: string, resource: string, cluster: Cluster): void => {
    const all = new Map<string, Version[]>();
    versions.set(`${host} ${resource}`, all);
    for (const object of cluster.list(resource)) all.set(keyOf(object), [{ change: 0, object }]);
    cluster.watch(resource, ({ type, object }) => {
      times.push(world.now());
      counts.set(resource, (counts.get(resource) ?? 0) + 1);
      const key = keyOf(object);
      const known = all.get(key) ?? [];
      known.push({ change: times.length, object: type === 'DELETED' ? undefined : object });
      all.set(key, known);
    });
  };
  for (const [host, { cluster }] of world.clusters)
    for (const resource of remembered(host, cluster)) remember(host, resource, cluster);

  return {
    present: presentOf(world),
    changesOf: (resource) => counts.get(resource) ?? 0,
    *since(at) {
      for (let change = times.length; change >= 0; change -= 1) {
        yield viewOf(versions, change);
        if ((times[change - 1] ?? 0) < at) return;
      }
    },
  };
}

const keyOf = ({ metadata: { namespace = '', name } }: KubeObject): string => `${namespace}/${name}`;

/** Kinds that a cluster does not serve are not there. */
function presentOf(world: World): View {
  const served = new Map(
    [...world.clusters].map(([host, { cluster }]) => [host, new Set(cluster.resources())]),
  );
  const isServed = (host: string, resource: string): boolean => served.get(host)?.has(resource) === true;
  return {
    get: (host, resource, namespace, name) =>
      isServed(host, resource) ? world.cluster(host).get(resource, namespace, name) : undefined,
    list: (host, resource) => (isServed(host, resource) ? world.cluster(host).list(resource) : []),
  };
}

/** After so many changes. */
function viewOf(versions: ReadonlyMap<string, ReadonlyMap<string, Version[]>>, change: number): View {
  const then = (known: Version[]): KubeObject | undefined =>
    known.findLast((version) => version.change <= change)?.object;
  return {
    get: (host, resource, namespace = '', name) =>
      then(versions.get(`${host} ${resource}`)?.get(`${namespace}/${name}`) ?? []),
    list: (host, resource) =>
      [...(versions.get(`${host} ${resource}`)?.values() ?? [])].flatMap((known) => then(known) ?? []),
  };
}
