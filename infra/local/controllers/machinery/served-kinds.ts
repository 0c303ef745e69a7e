import type { CustomResourceDefinition } from './objects.ts';
import type { World } from './world.ts';

/**
 * Whether objects of the kind can exist here. An owner of a kind that is not served is unknown, not absent: the real
 * garbage collector leaves its dependents alone as well.
 */
export function isServed(world: World, apiVersion: string, kind: string): boolean {
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  const definitions = world.informer<CustomResourceDefinition>(
    'customresourcedefinitions.apiextensions.k8s.io',
  );
  for (const { spec } of definitions.all())
    if (spec?.group === group && spec.names?.kind === kind) return true;
  const plural = pluralOf(kind.toLowerCase());
  return world.informers.serves(group === '' ? plural : `${plural}.${group}`);
}

// Good for every built-in kind; definitions say their plural themselves.
function pluralOf(kind: string): string {
  if (kind.endsWith('s')) return `${kind}es`;
  return kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}
