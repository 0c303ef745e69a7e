import { groupVersionOf } from '../../../../shared/kubernetes/objects.ts';
import { groupOfReference, guessPlural } from '../../kubernetes/discovery/resource.ts';
import type { KubeObject, OwnerReference } from '../../kubernetes/objects/cluster.ts';
import { textAt } from '../../kubernetes/server/json.ts';
import { type CustomResourceDefinition, toKey } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';

const definitions = 'customresourcedefinitions.apiextensions.k8s.io';

/** The resource of a custom kind: `localmachines.infrastructure.cluster.x-k8s.io`; undefined if it is not served. */
export function resourceOf(world: World, group: string, kind: string): string | undefined {
  for (const { spec } of world.informer<CustomResourceDefinition>(definitions).all())
    if (spec?.group === group && spec.names?.kind === kind) return `${spec.names.plural}.${group}`;
  return undefined;
}

/**
 * Whether objects of the kind can exist here. An owner of a kind that is not served is unknown, not absent. The real
 * garbage collector leaves its dependents alone, too.
 */
export function isServed(world: World, { apiVersion, kind }: OwnerReference): boolean {
  const { group } = groupVersionOf({ apiVersion });
  // Good for every built-in kind; definitions say their plural themselves.
  const plural = guessPlural(kind);
  const isBuiltIn = world.informers.serves(group === '' ? plural : `${plural}.${group}`);
  return isBuiltIn || resourceOf(world, group, kind) !== undefined;
}

/** Whether objects of the resource are kept at just this apiVersion: nothing here converts one into another. */
export function isServedAt(world: World, resource: string, apiVersion: string): boolean {
  const spec = world.informer<CustomResourceDefinition>(definitions).get(resource)?.spec;
  const stored = spec?.versions?.find(({ storage }) => storage === true)?.name;
  return stored !== undefined && apiVersion === `${spec?.group}/${stored}`;
}

export interface Referenced {
  resource: string;
  object: KubeObject | undefined;
}

/** What a reference leads to within a namespace; undefined if its kind is not served. */
export function referenced(
  world: World,
  namespace: string | undefined,
  reference: unknown,
): Referenced | undefined {
  const resource = resourceOf(world, groupOfReference(reference), textAt(reference, 'kind'));
  if (resource === undefined) return undefined;
  const object = world.informer(resource).get(toKey(namespace, textAt(reference, 'name')));
  return { resource, object };
}
