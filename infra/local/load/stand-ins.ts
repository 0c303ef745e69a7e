import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';
import type { Manifest } from '../../terminal/manifests.ts';
import { providerFinalizer } from '../controllers/machines/infrastructure.ts';
import { groupOfReference } from '../kubernetes/discovery/reference.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { objectOf, textAt } from '../kubernetes/server/json.ts';
import { daemonSetsOf } from './daemon-sets.ts';
import { clusterOf } from './machine-clusters.ts';
import { isMachine } from './machine-version.ts';
import { templateReferences } from './templates.ts';

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
  return { ...object, metadata: { ...object.metadata, finalizers: [providerFinalizer] } };
}

/**
 * Objects that Machines, Clusters and Pods name and the manifests lack. A Machine without its Cluster could not be judged at
 * all, and infrastructure of a kind that is not served could not be read.
 */
export function standIns(manifests: readonly Manifest[]): KubeObject[] {
  const objects = manifests.map(({ object }) => object);
  const present = new Set(objects.map(keyOf));
  const clusters = missing(objects.flatMap(clusterOf), present);
  const referred = [...objects, ...clusters].flatMap((object) => referencesOf(object, objects));
  return [...clusters, ...missing([...referred, ...daemonSetsOf(objects)], present)];
}

/** The identity of an object in any version. */
const keyOf = (object: KubeObject): string =>
  [groupVersionOf(object).group, object.kind, namespaceOf(object), object.metadata.name].join('/');

const namespaceOf = ({ metadata }: KubeObject): string => metadata.namespace ?? 'default';

function missing(wanted: readonly KubeObject[], present: ReadonlySet<string>): KubeObject[] {
  const byKey = new Map(wanted.map((object) => [keyOf(object), object]));
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
  isSimulated(object)
    ? { ...object, metadata: { ...object.metadata, finalizers: [providerFinalizer] } }
    : object;

/** Where not even the control plane was dumped, its Machines may be missing as well: none needs to be found. */
const standing = (controlPlane: KubeObject): KubeObject => ({
  ...controlPlane,
  status: { externalManagedControlPlane: true },
});
