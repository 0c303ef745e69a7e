import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';
import { type Manifest, ManifestUnreadable } from '../../terminal/manifests.ts';
import { guessPlural } from '../kubernetes/discovery/resource.ts';
import { ApiError, type KubeObject } from '../kubernetes/objects/cluster.ts';
import type { ApiServer } from '../kubernetes/server/api-server.ts';
import { isUnenforceable } from './admission-policies.ts';
import { type Elsewhere, isKubeconfig, makeKubeconfigs } from './kubeconfigs.ts';
import { definitionsFor } from './machine-version.ts';
import { definitionKind, madeUpKinds } from './made-up-kinds.ts';
import { notesOn } from './notes.ts';
import { madeFromTemplates, standIns, withLocalProvider } from './stand-ins.ts';

export interface Loaded {
  /** What was done to the manifests, one line each, for people to read. */
  notes: string[];
  /** UIDs of owners that are not among the objects. */
  unknownOwners: ReadonlySet<string>;
}

interface How {
  /** Of Clusters that do not lead to this API server. */
  elsewhere?: Elsewhere;
  /** Nothing plays a provider: finalizers stay as they were given. */
  isOnlyShown?: boolean;
}

/**
 * Puts manifests, or a dump of a whole cluster, into the API server at `url`. Its Clusters lead there as well, but for those
 * whose Nodes are `elsewhere`. Throws ManifestUnreadable.
 */
export function load(
  apiServer: ApiServer,
  manifests: readonly Manifest[],
  url: string,
  { elsewhere = new Map(), isOnlyShown = false }: How = {},
): Loaded {
  const withProvider = ({ from, object }: Manifest): Manifest => ({
    from,
    object: isOnlyShown ? object : withLocalProvider(object),
  });
  const objects = manifests.filter(({ object }) => isTaken(object));
  const made = standIns(objects);
  const all = [...objects, ...made.map((object) => ({ from: 'a stand-in', object }))];

  for (const object of definitionsFor(manifests))
    store(apiServer, { from: originOf(manifests, object), object });
  const left = all.filter((manifest) => !store(apiServer, withProvider(manifest)));
  refuseOtherVersions(apiServer, left);
  for (const object of madeUpKinds([...left, ...toCome(apiServer, all)]))
    store(apiServer, { from: 'a made-up kind', object });
  const leftOut = left.filter((manifest) => !store(apiServer, withProvider(manifest)));

  makeNamespaces(apiServer, all);
  makeKubeconfigs(apiServer, url, elsewhere);
  const notes = notesOn({ manifests, objects, made, leftOut, isOnlyShown });
  return { notes, unknownOwners: unknownOwners(apiServer) };
}

const isTaken = (object: KubeObject): boolean =>
  object.kind !== definitionKind && !isKubeconfig(object) && !isUnenforceable(object);

const originOf = (manifests: readonly Manifest[], { metadata }: KubeObject): string =>
  manifests.find(({ object }) => object.metadata.name === metadata.name)?.from ?? metadata.name;

/** False when its kind is not served. */
function store(apiServer: ApiServer, { from, object }: Manifest): boolean {
  try {
    return apiServer.restore(object) !== undefined;
  } catch (error) {
    if (error instanceof ApiError) throw new ManifestUnreadable(`${from}: ${error.message}`);
    throw error;
  }
}

/** A kind that is known at other versions must not be made up: the deciding objects would be unseen. */
function refuseOtherVersions(apiServer: ApiServer, left: readonly Manifest[]): void {
  const { cluster } = apiServer;
  const known = new Set(cluster.resources());
  for (const { from, object } of left) {
    const { group } = groupVersionOf(object);
    const resource = `${guessPlural(object.kind ?? '')}.${group}`;
    if (group === '' || !known.has(resource)) continue;
    const versions = cluster.versions(resource).map((version) => `${group}/${version}`);
    throw new ManifestUnreadable(
      `${from}: ${object.kind} is not known at version ${object.apiVersion} (known: ${versions.join(', ')})`,
    );
  }
}

/** The objects that MachineSets will make of kinds that are not served yet. */
function toCome(apiServer: ApiServer, all: readonly Manifest[]): Manifest[] {
  const served = new Set(apiServer.cluster.resources());
  return madeFromTemplates(all.map(({ object }) => object))
    .filter((object) => !served.has(`${guessPlural(object.kind ?? '')}.${groupVersionOf(object).group}`))
    .map((object) => ({ from: 'a template', object }));
}

function makeNamespaces(apiServer: ApiServer, manifests: readonly Manifest[]): void {
  const names = new Set(manifests.map(({ object }) => object.metadata.namespace ?? 'default'));
  for (const name of names) {
    if (apiServer.cluster.get('namespaces', undefined, name) !== undefined) continue;
    apiServer.restore({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
}

function unknownOwners({ cluster }: ApiServer): ReadonlySet<string> {
  const all = cluster.resources().flatMap((resource) => cluster.list(resource));
  const uids = new Set(all.map(({ metadata }) => metadata.uid));
  const owners = all.flatMap(({ metadata }) => (metadata.ownerReferences ?? []).map(({ uid }) => uid));
  return new Set(owners.filter((uid) => !uids.has(uid)));
}
