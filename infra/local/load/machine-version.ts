import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';
import { type Manifest, ManifestUnreadable } from '../../terminal/manifests.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { textAt } from '../kubernetes/server/json.ts';
import { definitionKind } from './made-up-kinds.ts';
import { definitionsOfApis } from './served-apis.ts';

const group = 'cluster.x-k8s.io';

/** What every manifest may refer to, with definitions among the manifests in the place of ours. */
export function definitionsFor(manifests: readonly Manifest[]): KubeObject[] {
  const objects = manifests.map(({ object }) => object);
  const given = objects.filter(({ kind }) => kind === definitionKind);
  const all = new Map([...definitionsOfApis(objects), ...given].map((one) => [one.metadata.name, one]));
  const [ofMachines, ofSets] = [versionOf(manifests, 'Machine'), versionOf(manifests, 'MachineSet')];
  // Sets make Machines of their own version: where there are only the ones, that is the version of the others.
  const versions = new Map([
    [`machines.${group}`, ofMachines ?? ofSets],
    [`machinesets.${group}`, ofSets ?? ofMachines],
  ]);
  return [...all.values()].map((one) => servingOnly(one, versions.get(one.metadata.name)));
}

/**
 * The version in which Cluster API's objects of a kind are written; undefined when there are none. Nothing converts
 * them here, and their versions differ in more than the name: a mixture cannot be served.
 */
function versionOf(manifests: readonly Manifest[], kind: string): string | undefined {
  const [first, ...others] = manifests.filter(({ object }) => isOfClusterApi(object, kind));
  if (first === undefined) return undefined;
  const { version } = groupVersionOf(first.object);
  const other = others.find(({ object }) => groupVersionOf(object).version !== version);
  if (other === undefined) return version;
  const versions = `${version} in ${first.from}, ${groupVersionOf(other.object).version} here`;
  throw new ManifestUnreadable(
    `${other.from}: all ${kind}s of ${group} must have the same apiVersion (${versions}), because nothing here converts them. ` +
      `Ask the API server, which does: kubectl get ${kind.toLowerCase()}s.v1beta2.${group} -A -o yaml`,
  );
}

const isOfClusterApi = (object: KubeObject, kind: string): boolean =>
  object.kind === kind && groupVersionOf(object).group === group;

/** A Machine of Cluster API. */
export const isMachine = (object: KubeObject): boolean => isOfClusterApi(object, 'Machine');

interface Spec {
  versions?: readonly { name?: string; deprecated?: boolean }[];
}

function servingOnly(definition: KubeObject, version: string | undefined): KubeObject {
  if (version === undefined) return definition;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is no such list has no version of that name
  const spec = (definition.spec ?? {}) as Spec;
  const versions = (Array.isArray(spec.versions) ? spec.versions : [])
    .filter(({ name }) => name === version)
    .map((one) => ({ ...one, served: true, storage: true, deprecated: false }));
  return versions.length === 0 ? definition : { ...definition, spec: { ...spec, versions } };
}

const v1alpha1Group = 'cluster.k8s.io';
const v1alpha1Label = 'cluster.k8s.io/cluster-name';

/** The Cluster of a Machine, if all that is known of it is that it exists. */
export function clusterOf(machine: KubeObject): KubeObject[] {
  if (isMachine(machine)) return clusterApiCluster(machine);
  const isOfV1alpha1 = machine.kind === 'Machine' && groupVersionOf(machine).group === v1alpha1Group;
  const name = machine.metadata.labels?.[v1alpha1Label] ?? '';
  return isOfV1alpha1 && name !== '' ? [cluster(machine, name, {})] : [];
}

function clusterApiCluster(machine: KubeObject): KubeObject[] {
  const name = textAt(machine, 'spec', 'clusterName');
  if (name === '') return [];
  // A Cluster without a control plane is one whose Nodes must not be touched.
  const controlPlaneRef = { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'ControlPlane', name };
  return [cluster(machine, name, { controlPlaneRef })];
}

const cluster = ({ apiVersion = '', metadata }: KubeObject, name: string, spec: object): KubeObject => ({
  apiVersion,
  kind: 'Cluster',
  metadata: { name, namespace: metadata.namespace ?? 'default' },
  spec,
});
