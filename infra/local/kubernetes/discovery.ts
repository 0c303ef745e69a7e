import { createHash } from 'node:crypto';
import type { Api } from './api.ts';
import { openApiAnswer } from './openapi.ts';
import type { ApiRequest, ApiResponse } from './request.ts';
import { apiVersionOf, type Resource } from './resource.ts';
import { notAcceptable, unknownPath } from './status.ts';

const json = { 'content-type': 'application/json' };
const plain = { 'content-type': 'text/plain; charset=utf-8' };
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Everything that is no resource: what the API server serves, its version and its health. */
export function discoveryAnswer(api: Api, request: ApiRequest): ApiResponse {
  const parts = request.path.split('/').filter(Boolean);
  const [root = '', group = '', version = ''] = parts;
  if (root === 'api' && parts.length === 1) return rootAnswer(api, request, true);
  if (root === 'apis' && parts.length === 1) return rootAnswer(api, request, false);
  if (root === 'api' && parts.length === 2 && group === 'v1') return found(resourceList(api, '', 'v1'));
  if (root === 'apis' && parts.length === 2) return groupAnswer(api, group);
  if (root === 'apis' && parts.length === 3) return versionAnswer(api, group, version);
  if (root === 'version') return found(serverVersion);
  if (['healthz', 'livez', 'readyz'].includes(root))
    return { status: 200, headers: { ...plain }, body: 'ok' };
  if (root === 'openapi') return openApiAnswer(api, request.path) ?? missing();
  if (root === '') return found({ paths: rootPaths(api) });
  if (root === 'api') throw unknownPath();
  return missing();
}

const serverVersion = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.0-local',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: 'local',
};

function missing(): ApiResponse {
  return { status: 404, headers: { ...plain }, body: '404 page not found\n' };
}

function found(body: unknown): ApiResponse {
  return { status: 200, headers: { ...json }, body: JSON.stringify(body) };
}

function rootAnswer(api: Api, request: ApiRequest, isCore: boolean): ApiResponse {
  const accept = request.headers?.accept ?? '';
  if (accept.includes('as=APIGroupDiscoveryList') && accept.includes('v=v2;'))
    return aggregatedAnswer(api, request, isCore);
  if (accept.includes('as=') && !accept.includes(',')) throw notAcceptable();
  if (!isCore)
    return found({
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: groupNames(api).map((group) => groupOf(api, group)),
    });
  const serverAddressByClientCIDRs = [
    { clientCIDR: '0.0.0.0/0', serverAddress: request.headers?.host ?? '127.0.0.1' },
  ];
  return found({ kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs });
}

function rootPaths(api: Api): string[] {
  const groups = groupNames(api).flatMap((group) => [
    `/apis/${group}`,
    ...versionsOf(api, group).map((version) => `/apis/${group}/${version}`),
  ]);
  const own = [
    '/healthz',
    '/livez',
    '/metrics',
    '/openapi/v2',
    '/openapi/v3',
    '/openapi/v3/',
    '/readyz',
    '/version',
  ];
  return ['/api', '/api/v1', '/apis', '/apis/', ...groups, ...own];
}

function groupNames(api: Api): string[] {
  return [...new Set(api.registry.all().map((resource) => resource.group))].filter(Boolean).toSorted();
}

function versionsOf(api: Api, group: string): string[] {
  return [
    ...new Set(
      api.registry.all().flatMap((one) => (one.group === group ? one.versions.map(({ name }) => name) : [])),
    ),
  ];
}

function groupOf(api: Api, group: string) {
  const versions = versionsOf(api, group).map((version) => ({
    groupVersion: `${group}/${version}`,
    version,
  }));
  return { name: group, versions, preferredVersion: versions[0] };
}

function groupAnswer(api: Api, group: string): ApiResponse {
  if (!groupNames(api).includes(group)) return missing();
  return found({ kind: 'APIGroup', apiVersion: 'v1', ...groupOf(api, group) });
}

function versionAnswer(api: Api, group: string, version: string): ApiResponse {
  return versionsOf(api, group).includes(version) ? found(resourceList(api, group, version)) : missing();
}

function resourceList(api: Api, group: string, version: string) {
  const resources = sorted(api.registry.inGroupVersion(group, version)).flatMap(withSubresources);
  const apiVersion = group === '' ? {} : { apiVersion: 'v1' };
  return { kind: 'APIResourceList', ...apiVersion, groupVersion: apiVersionOf(group, version), resources };
}

function sorted(resources: Resource[]): Resource[] {
  return resources.toSorted((one, other) => (one.plural < other.plural ? -1 : 1));
}

const customVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const builtinVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

function verbsOf(resource: Resource): string[] {
  if (resource.isCustom) return customVerbs;
  return resource.kind === 'Namespace'
    ? builtinVerbs.filter((verb) => verb !== 'deletecollection')
    : builtinVerbs;
}

interface Served {
  readonly kind: string;
  readonly verbs: string[];
  readonly group?: string;
  readonly version?: string;
}

function subresourceOf(resource: Resource, name: string): Served {
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

function withSubresources(resource: Resource) {
  const { plural, singular, namespaced, kind, shortNames, categories } = resource;
  const main = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: verbsOf(resource),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    storageVersionHash:
      createHash('sha256')
        .update(`${resource.key}/${resource.storageVersion}`)
        .digest('base64')
        .slice(0, 11) + '=',
  };
  const below = resource.subresources.map((name) => {
    const { group, version, ...rest } = subresourceOf(resource, name);
    return {
      name: `${plural}/${name}`,
      singularName: '',
      namespaced,
      ...(group && { group, version }),
      ...rest,
    };
  });
  return [main, ...below];
}

function aggregatedAnswer(api: Api, request: ApiRequest, isCore: boolean): ApiResponse {
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
  const etag = `"${createHash('sha256').update(body).digest('hex').toUpperCase()}"`;
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
