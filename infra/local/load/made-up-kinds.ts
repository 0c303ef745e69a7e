import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';
import type { Manifest } from '../../terminal/manifests.ts';
import { customResourceDefinition } from '../kubernetes/crds/definition.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';

export const definitionKind = 'CustomResourceDefinition';

/** One definition for each kind, taking any field, at the versions that are used. Core kinds cannot be made up. */
export function madeUpKinds(manifests: readonly Manifest[]): KubeObject[] {
  const objects = manifests
    .map(({ object }) => object)
    .filter((object) => groupVersionOf(object).group !== '');
  const byKind = Map.groupBy(objects, (object) => `${object.kind}.${groupVersionOf(object).group}`);
  return [...byKind.values()].flatMap((members) => {
    const [first] = members;
    return first === undefined ? [] : [definitionOf(first, members)];
  });
}

function definitionOf(first: KubeObject, members: readonly KubeObject[]): KubeObject {
  const { kind = '' } = first;
  const versions = [...new Set(members.map((member) => groupVersionOf(member).version))];
  const isNamespaced = members.some(({ metadata }) => metadata.namespace !== undefined);
  return customResourceDefinition({
    group: groupVersionOf(first).group,
    kind,
    scope: isNamespaced ? 'Namespaced' : 'Cluster',
    versions: versions.toSorted().map((name) => ({ name, subresources: { status: {} } })),
  });
}
