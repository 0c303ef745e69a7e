import type { KubeObject } from '../kubernetes/cluster.ts';
import { clusterApiDefinitions } from '../kubernetes/crds/cluster-api.ts';
import { type Manifest, ManifestUnreadable } from '../manifests.ts';
import { definitionKind, groupVersionOf } from './made-up-kinds.ts';

const machines = 'machines.cluster.x-k8s.io';

/** What every manifest may refer to, with definitions among the manifests in the place of ours. */
export function definitionsFor(manifests: readonly Manifest[]): KubeObject[] {
  const given = manifests.filter(({ object }) => object.kind === definitionKind).map(({ object }) => object);
  const all = new Map([...clusterApiDefinitions, ...given].map((one) => [one.metadata.name, one]));
  const version = machineVersion(manifests);
  return [...all.values()].map((one) =>
    one.metadata.name === machines && version !== undefined ? servingOnly(one, version) : one,
  );
}

/**
 * The version in which the Machines are written; undefined when there are none. Nothing converts Machines here, and
 * their versions differ in more than the name: a mixture cannot be served.
 */
function machineVersion(manifests: readonly Manifest[]): string | undefined {
  const [first, ...others] = manifests.filter(({ object }) => isMachine(object));
  if (first === undefined) return undefined;
  const { version } = groupVersionOf(first.object);
  const other = others.find(({ object }) => groupVersionOf(object).version !== version);
  if (other === undefined) return version;
  const versions = `${version} in ${first.from}, ${groupVersionOf(other.object).version} here`;
  throw new ManifestUnreadable(`${other.from}: all Machines must have the same apiVersion (${versions})`);
}

export const isMachine = (object: KubeObject): boolean =>
  object.kind === 'Machine' && groupVersionOf(object).group === 'cluster.x-k8s.io';

interface Spec {
  versions?: readonly { name?: string; deprecated?: boolean }[];
}

function servingOnly(definition: KubeObject, version: string): KubeObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is no such list has no version of that name
  const spec = (definition.spec ?? {}) as Spec;
  const versions = (Array.isArray(spec.versions) ? spec.versions : [])
    .filter(({ name }) => name === version)
    .map((one) => ({ ...one, served: true, storage: true, deprecated: false }));
  return versions.length === 0 ? definition : { ...definition, spec: { ...spec, versions } };
}
