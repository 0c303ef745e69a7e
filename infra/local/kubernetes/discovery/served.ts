import { createHash } from 'node:crypto';
import type { Api } from '../objects/api.ts';
import type { ApiRequest, ApiResponse } from '../server/request.ts';
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

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** All groups, versions and resources in one document, with an ETag for clients that have it already. */
export function aggregatedAnswer(api: Api, request: ApiRequest, isCore: boolean): ApiResponse {
  const groups = isCore ? [''] : groupNames(api);
  const items = groups.map((group) => ({
    metadata: group === '' ? {} : { name: group },
    versions: versionsOf(api, group).map((version) => ({
      version,
      resources: sorted(api.registry.inGroupVersion(group, version)).map((one) =>
        aggregatedResource(one, version),
      ),
      freshness: 'Current',
    })),
  }));
  const body = JSON.stringify({
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items,
  });
  const etag = `"${hashOf(body)}"`;
  const headers = { etag, vary: 'Accept' };
  if (request.headers?.['if-none-match'] === etag) return { status: 304, headers, body: '' };
  return { status: 200, headers: { ...headers, 'content-type': aggregated }, body };
}

/** Built-in kinds leave group and version of a kind empty when they are those of the resource. */
function aggregatedResource(resource: Resource, version: string) {
  const own = resource.isCustom ? { group: resource.group, version } : { group: '', version: '' };
  const subresources = resource.subresources.map((name) => {
    const { group, version: served, kind, verbs } = subresourceOf(resource, name);
    return {
      subresource: name,
      responseKind: { ...(group ? { group, version: served } : own), kind },
      verbs,
    };
  });
  return {
    resource: resource.plural,
    responseKind: { ...own, kind: resource.kind },
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: verbsOf(resource),
    ...(resource.shortNames.length > 0 && { shortNames: resource.shortNames }),
    ...(resource.categories.length > 0 && { categories: resource.categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}

/** By which clients know a document that they have. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').toUpperCase();
