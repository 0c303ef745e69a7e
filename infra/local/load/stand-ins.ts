import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';
import type { Manifest } from '../../terminal/manifests.ts';
import { providerFinalizer } from '../controllers/machines/infrastructure.ts';
import { groupOfReference } from '../kubernetes/discovery/resource.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { identityOf } from '../kubernetes/objects/identity.ts';
import { withMetadata } from '../kubernetes/objects/kube-object.ts';
import { at, objectOf, textAt } from '../kubernetes/server/json.ts';
import { clusterOf, isMachine } from './machine-version.ts';

const simulatedGroups: ReadonlySet<string> = new Set([
  'infrastructure.cluster.x-k8s.io',
  'bootstrap.cluster.x-k8s.io',
]);

export const isSimulated = (object: KubeObject): boolean => simulatedGroups.has(groupVersionOf(object).group);

/** Infrastructure without its provider here: the local provider removes the finalizer instead. */
export function withLocalProvider(object: KubeObject): KubeObject {
  const isHeld = (object.metadata.finalizers ?? []).length > 0;
  const isOurs = object.metadata.finalizers?.join() === providerFinalizer;
  if (!isHeld || isOurs || !isSimulated(object)) return object;
  return withMetadata(object, { finalizers: [providerFinalizer] });
}

/**
 * Objects that Machines, Clusters and Pods name and the manifests lack. A Machine without its Cluster could not be
 * judged at all. Infrastructure of a kind that is not served could not be read.
 */
export function standIns(manifests: readonly Manifest[]): KubeObject[] {
  const objects = manifests.map(({ object }) => object);
  const present = new Set(objects.map(identityOf));
  const clusters = missing(objects.flatMap(clusterOf), present);
  const referred = [...objects, ...clusters].flatMap((object) => referencesOf(object, objects));
  return [...clusters, ...missing([...referred, ...daemonSetsOf(objects)], present)];
}

const namespaceOf = ({ metadata }: KubeObject): string => metadata.namespace ?? 'default';

function missing(wanted: readonly KubeObject[], present: ReadonlySet<string>): KubeObject[] {
  const byKey = new Map(wanted.map((object) => [identityOf(object), object]));
  return [...byKey].filter(([key]) => !present.has(key)).map(([, object]) => object);
}

function referencesOf(object: KubeObject, known: readonly KubeObject[]): KubeObject[] {
  const spec = objectOf(object.spec);
  const standIn = (reference: unknown): KubeObject[] => standInFor(reference, namespaceOf(object), known);
  if (isMachine(object)) {
    return [spec.infrastructureRef, objectOf(spec.bootstrap).configRef].flatMap(standIn).map(provided);
  }
  const templates = templateReferences(object).flatMap(standIn);
  if (templates.length > 0) return templates;
  const isCluster = object.kind === 'Cluster' && groupVersionOf(object).group === 'cluster.x-k8s.io';
  if (!isCluster) return [];
  const controlPlanes = standIn(spec.controlPlaneRef);
  return hasMembers(object, known) ? controlPlanes : controlPlanes.map(standing);
}

const controlPlaneLabel = 'cluster.x-k8s.io/control-plane';

/** Machines of the Cluster's control plane were given: how many are left says whether Nodes may be touched. */
const hasMembers = (cluster: KubeObject, known: readonly KubeObject[]): boolean =>
  known.some(
    (object) =>
      isMachine(object) &&
      textAt(object, 'spec', 'clusterName') === cluster.metadata.name &&
      namespaceOf(object) === namespaceOf(cluster) &&
      object.metadata.labels?.[controlPlaneLabel] !== undefined,
  );

function standInFor(reference: unknown, namespace: string, known: readonly KubeObject[]): KubeObject[] {
  const [kind, name] = [textAt(reference, 'kind'), textAt(reference, 'name')];
  const group = groupOfReference(reference);
  if (kind === '' || name === '' || group === '') return [];
  const alike = known.find((object) => object.kind === kind && groupVersionOf(object).group === group);
  const apiVersion = alike?.apiVersion ?? (textAt(reference, 'apiVersion') || `${group}/v1beta2`);
  return [{ apiVersion, kind, metadata: { name, namespace: textAt(reference, 'namespace') || namespace } }];
}

const provided = (object: KubeObject): KubeObject =>
  isSimulated(object) ? withMetadata(object, { finalizers: [providerFinalizer] }) : object;

/** Where not even the control plane was dumped, its Machines may be missing as well: none needs to be found. */
const standing = (controlPlane: KubeObject): KubeObject => ({
  ...controlPlane,
  status: { externalManagedControlPlane: true },
});

/**
 * DaemonSets that Pods belong to, made from those Pods. Without them a drain would evict Pods that it must leave.
 * Those that are among the manifests win. Each is of its owner's own group: a drain asks for those of `apps` alone.
 */
function daemonSetsOf(objects: readonly KubeObject[]): KubeObject[] {
  return objects.filter(({ kind }) => kind === 'Pod').flatMap(daemonSetOf);
}

function daemonSetOf({ metadata, spec }: KubeObject): KubeObject[] {
  const owner = metadata.ownerReferences?.find((reference) => reference.controller === true);
  if (owner?.kind !== 'DaemonSet') return [];
  const { nodeName: _nodeName, ...podSpec } = objectOf(spec);
  const labels = metadata.labels ?? {};
  const namespace = metadata.namespace ?? 'default';
  return [
    {
      // Versions of one group are the same object, and here `apps` is served at this one.
      apiVersion: groupVersionOf(owner).group === 'apps' ? 'apps/v1' : owner.apiVersion,
      kind: 'DaemonSet',
      metadata: { name: owner.name, namespace, uid: owner.uid },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
    },
  ];
}

/** Such a DaemonSet by name, and what it does to its Pods. */
export function sayDaemonSet({ apiVersion, metadata }: KubeObject): string {
  const name = `DaemonSet ${metadata.namespace}/${metadata.name}`;
  const isOfApps = groupVersionOf({ apiVersion: apiVersion ?? '' }).group === 'apps';
  return isOfApps
    ? `${name} (its Pods stay on their Nodes)`
    : `${name} of ${apiVersion} (a drain asks for DaemonSets of apps/v1 alone, so its Pods are evicted)`;
}

const suffix = 'Template';

const isMachineSet = (object: KubeObject): boolean =>
  object.kind === 'MachineSet' && groupVersionOf(object).group === 'cluster.x-k8s.io';

/** The templates that a MachineSet of Cluster API makes infrastructure and bootstrap objects from. */
function templateReferences(set: KubeObject): unknown[] {
  if (!isMachineSet(set)) return [];
  const spec = at(set, 'spec', 'template', 'spec');
  return [at(spec, 'infrastructureRef'), at(spec, 'bootstrap', 'configRef')].filter((reference) =>
    textAt(reference, 'kind').endsWith(suffix),
  );
}

/** What sets would make from their templates, so that its kind can be made up before. */
export function madeFromTemplates(objects: readonly KubeObject[]): KubeObject[] {
  const kinds = new Set(objects.flatMap(templateReferences).map((reference) => textAt(reference, 'kind')));
  return objects.flatMap(({ kind = '', ...template }) =>
    kinds.has(kind) ? [{ ...template, kind: kind.slice(0, -suffix.length) }] : [],
  );
}

/** The controllers whose Pods a drain moves. */
const makers: ReadonlySet<string | undefined> = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'Job']);

const isMade = ({ kind, metadata }: KubeObject): boolean =>
  kind === 'Pod' && (metadata.ownerReferences ?? []).some((owner) => makers.has(owner.kind));

/** Whether the objects say only which Pods there should be: somebody has to make them. A dump has those there are. */
export const leavePodsToMake = (objects: readonly KubeObject[]): boolean =>
  objects.some(({ kind }) => makers.has(kind)) && !objects.some(isMade);
