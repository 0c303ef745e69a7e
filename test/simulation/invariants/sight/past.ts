import type { Cluster, KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { management } from '../../platform/clusters.ts';
import type { World } from '../../world.ts';

/** All clusters as they are, or as they were at one moment. */
export interface View {
  get(host: string, resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
  list(host: string, resource: string): readonly KubeObject[];
}

/** What is asked for: one object, or all of a kind where it has no name. */
interface Place {
  host: string;
  resource: string;
  name?: string;
}

/** What is read at once, and so as of one moment, which need not be that of anything else. */
export interface Part {
  has(place: Place): boolean;
  /** The earliest moment that it may be of. */
  since: number;
}

export function isSoInAny(views: Iterable<View>, isSo: (view: View) => boolean): boolean {
  for (const view of views) if (isSo(view)) return true;
  return false;
}

/** What was so before it is so now. */
export interface Past {
  /** As all is at this moment. */
  readonly present: View;
  /** Every state there was since then, the latest one first, and the one that it began with. */
  since(at: number): Iterable<View>;
  /** Since when it has been so without a break, at the earliest since `from`. Undefined if it is not so now. */
  beganWhen(isSo: (view: View) => boolean, from: number): number | undefined;
  /**
   * All that there may have been to somebody who has read each of these at a moment of its own. A place belongs to the
   * first that has it; what none of them has is as it is now.
   */
  apart(parts: readonly Part[]): Iterable<View>;
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
  const places: Required<Place>[] = [];
  const counts = new Map<string, number>();

  const remember = (host: string, resource: string, cluster: Cluster): void => {
    const all = new Map<string, Version[]>();
    versions.set(`${host} ${resource}`, all);
    for (const object of cluster.list(resource)) all.set(keyOf(object), [{ change: 0, object }]);
    cluster.watch(resource, ({ type, object }) => {
      times.push(world.now());
      places.push({ host, resource, name: object.metadata.name });
      counts.set(resource, (counts.get(resource) ?? 0) + 1);
      const key = keyOf(object);
      const known = all.get(key) ?? [];
      known.push({ change: times.length, object: type === 'DELETED' ? undefined : object });
      all.set(key, known);
    });
  };
  for (const [host, { cluster }] of world.clusters)
    for (const resource of remembered(host, cluster)) remember(host, resource, cluster);

  const present = presentOf(world);
  /** After how many changes it was another one than now, the latest first. */
  const momentsOf = (part: Part, parts: readonly Part[]): number[] => {
    const moments = [times.length];
    for (let change = times.length; change > 0 && (times[change - 1] ?? 0) >= part.since; change -= 1)
      if (isPartOf(part, parts, places[change - 1])) moments.push(change - 1);
    return moments;
  };

  return {
    present,
    changesOf: (resource) => counts.get(resource) ?? 0,
    *since(at) {
      for (let change = times.length; change >= 0; change -= 1) {
        yield viewOf(versions, change);
        if ((times[change - 1] ?? 0) < at) return;
      }
    },
    beganWhen(isSo, from) {
      if (!isSo(present)) return undefined;
      for (let change = times.length; change > 0; change -= 1) {
        const at = times[change - 1] ?? 0;
        if (at < from) return from;
        if (!isSo(viewOf(versions, change - 1))) return at;
      }
      return from;
    },
    *apart(parts) {
      for (const moments of combined(parts.map((part) => momentsOf(part, parts)))) {
        const views = moments.map((change) => viewOf(versions, change));
        yield composed((place) => views[parts.findIndex((part) => part.has(place))] ?? present);
      }
    },
  };
}

const keyOf = ({ metadata: { namespace = '', name } }: KubeObject): string => `${namespace}/${name}`;

/** Whether it is another one after a change of this object, which is in its kind's list as well. */
function isPartOf(part: Part, parts: readonly Part[], changed: Required<Place> | undefined): boolean {
  if (changed === undefined) return false;
  const { host, resource } = changed;
  return [changed, { host, resource }].some((place) => parts.find((each) => each.has(place)) === part);
}

/** One of each, in every way. */
function* combined([first, ...others]: readonly (readonly number[])[]): Iterable<number[]> {
  if (first === undefined) yield [];
  else for (const rest of combined(others)) for (const one of first) yield [one, ...rest];
}

const composed = (viewAt: (place: Place) => View): View => ({
  get: (host, resource, namespace, name) =>
    viewAt({ host, resource, name }).get(host, resource, namespace, name),
  list: (host, resource) => viewAt({ host, resource }).list(host, resource),
});

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
