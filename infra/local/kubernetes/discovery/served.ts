import type { Api } from '../objects/api.ts';
import type { Resource } from './resource.ts';

/** Groups but the core one, which has no name. */
export function groupNames(api: Api): string[] {
  return [...new Set(api.registry.all().map((resource) => resource.group))].filter(Boolean).toSorted();
}

/** Versions of a group, preferred first. */
export function versionsOf(api: Api, group: string): string[] {
  return [
    ...new Set(
      api.registry.all().flatMap((one) => (one.group === group ? one.versions.map(({ name }) => name) : [])),
    ),
  ];
}

export function sorted(resources: Resource[]): Resource[] {
  return resources.toSorted((one, other) => (one.plural < other.plural ? -1 : 1));
}

const customVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const builtinVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** What can be done with a resource. */
export function verbsOf(resource: Resource): string[] {
  if (resource.isCustom) return customVerbs;
  return resource.kind === 'Namespace'
    ? builtinVerbs.filter((verb) => verb !== 'deletecollection')
    : builtinVerbs;
}

interface ServedSubresource {
  readonly kind: string;
  readonly verbs: string[];
  readonly group?: string;
  readonly version?: string;
}

/** What a subresource takes or shows, and what can be done with it. */
export function subresourceOf(resource: Resource, name: string): ServedSubresource {
  const change = ['get', 'patch', 'update'];
  switch (name) {
    case 'scale':
      return { group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: change };
    case 'eviction':
      return { group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] };
    case 'binding':
      return { kind: 'Binding', verbs: ['create'] };
    case 'finalize':
      return { kind: resource.kind, verbs: ['update'] };
    case 'log':
      return { kind: resource.kind, verbs: ['get'] };
    default:
      return { kind: resource.kind, verbs: change };
  }
}
