import type { ApiServer } from '../kubernetes/api-server.ts';
import { ApiError, type KubeObject } from '../kubernetes/cluster.ts';
import { kubeconfigFor } from '../kubeconfig.ts';
import { type Manifest, ManifestUnreadable } from '../manifests.ts';
import { isUnenforceable } from './admission-policies.ts';
import { definitionsFor } from './machine-version.ts';
import { definitionKind, groupVersionOf, guessPlural, madeUpKinds } from './made-up-kinds.ts';
import { isSimulated, standIns, withLocalProvider } from './stand-ins.ts';

export interface Loaded {
  /** What was done to the manifests, one line each, for people to read. */
  notes: string[];
  /** UIDs of owners that are not among the objects. */
  unknownOwners: ReadonlySet<string>;
}

/** Puts manifests, or a dump of a whole cluster, into the API server at `url`. Throws ManifestUnreadable. */
export function load(apiServer: ApiServer, manifests: readonly Manifest[], url: string): Loaded {
  const objects = manifests.filter(({ object }) => isTaken(object));
  const made = standIns(objects);
  const all = [...objects, ...made.map((object) => ({ from: 'a stand-in', object }))];

  for (const object of definitionsFor(manifests))
    store(apiServer, { from: originOf(manifests, object), object });
  const left = all.filter((manifest) => !store(apiServer, withProvider(manifest)));
  refuseOtherVersions(apiServer, left);
  for (const object of madeUpKinds(left)) store(apiServer, { from: 'a made-up kind', object });
  const leftOut = left.filter((manifest) => !store(apiServer, withProvider(manifest)));

  makeNamespaces(apiServer, all);
  makeKubeconfigs(apiServer, url);
  return { notes: notesOn({ manifests, objects, made, leftOut }), unknownOwners: unknownOwners(apiServer) };
}

const isTaken = (object: KubeObject): boolean =>
  object.kind !== definitionKind && !isKubeconfig(object) && !isUnenforceable(object);

/** A dump must never make anything here talk to the clusters it came from. */
const isKubeconfig = ({ kind, metadata }: KubeObject): boolean =>
  kind === 'Secret' && metadata.name.endsWith('-kubeconfig');

const withProvider = ({ from, object }: Manifest): Manifest => ({ from, object: withLocalProvider(object) });

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

/** A kind known at other versions only must not be made up, or the objects that decide would not be seen. */
function refuseOtherVersions(apiServer: ApiServer, left: readonly Manifest[]): void {
  const known = new Set(apiServer.cluster.resources());
  for (const { from, object } of left) {
    const { group } = groupVersionOf(object);
    if (group === '' || !known.has(`${guessPlural(object.kind ?? '')}.${group}`)) continue;
    throw new ManifestUnreadable(`${from}: ${object.kind} is not known at version ${object.apiVersion}`);
  }
}

function makeNamespaces(apiServer: ApiServer, manifests: readonly Manifest[]): void {
  const names = new Set(manifests.map(({ object }) => object.metadata.namespace ?? 'default'));
  for (const name of names) {
    if (apiServer.cluster.get('namespaces', undefined, name) !== undefined) continue;
    apiServer.restore({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
}

function makeKubeconfigs(apiServer: ApiServer, url: string): void {
  const clusters = 'clusters.cluster.x-k8s.io';
  // Other Machine APIs may be there without Cluster API.
  if (!apiServer.cluster.resources().includes(clusters)) return;
  for (const { metadata } of apiServer.cluster.list(clusters)) {
    apiServer.restore({
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'cluster.x-k8s.io/secret',
      metadata: {
        name: `${metadata.name}-kubeconfig`,
        namespace: metadata.namespace ?? 'default',
        labels: { 'cluster.x-k8s.io/cluster-name': metadata.name },
      },
      stringData: { value: kubeconfigFor(url) },
    });
  }
}

function unknownOwners({ cluster }: ApiServer): ReadonlySet<string> {
  const all = cluster.resources().flatMap((resource) => cluster.list(resource));
  const uids = new Set(all.map(({ metadata }) => metadata.uid));
  const owners = all.flatMap(({ metadata }) => (metadata.ownerReferences ?? []).map(({ uid }) => uid));
  return new Set(owners.filter((uid) => !uids.has(uid)));
}

/** Kinds that decide what a deletion does and whose absence nothing else would show. */
const deciding = ['MachineDrainRule', 'PodDisruptionBudget', 'VolumeAttachment'];

interface Loading {
  manifests: readonly Manifest[];
  objects: readonly Manifest[];
  made: readonly KubeObject[];
  leftOut: readonly Manifest[];
}

function notesOn({ manifests, objects, made, leftOut }: Loading): string[] {
  const secrets = manifests.filter(({ object }) => isKubeconfig(object)).length;
  const unenforced = manifests.filter(({ object }) => isUnenforceable(object));
  const provided = objects.filter(
    ({ object }) => withLocalProvider(object) !== object && isSimulated(object),
  );
  const unseen = deciding.filter((kind) => !objects.some(({ object }) => object.kind === kind));
  const notes: [number, string][] = [
    [
      secrets,
      `kubeconfig Secrets replaced by ones for the local API (${secrets}): no other cluster is contacted`,
    ],
    [
      provided.length,
      `finalizers replaced by the local provider's on ${kinds(provided.map(({ object }) => object))}`,
    ],
    [made.length, `not in the manifests, so assumed to be there: ${kinds(made)}`],
    [unseen.length, `not in the manifests, so taken for none: ${unseen.join(', ')}`],
    [
      unenforced.length,
      `left out, because nothing here can enforce them: ${kinds(unenforced.map(({ object }) => object))}`,
    ],
    [leftOut.length, `left out, of no matter here: ${kinds(leftOut.map(({ object }) => object))}`],
  ];
  return notes.filter(([count]) => count > 0).map(([, text]) => text);
}

/** `2 AWSMachine, 1 Cluster`. */
function kinds(objects: readonly KubeObject[]): string {
  const byKind = Map.groupBy(objects, ({ kind }) => kind ?? '');
  return [...byKind].map(([kind, members]) => `${members.length} ${kind}`).join(', ');
}
