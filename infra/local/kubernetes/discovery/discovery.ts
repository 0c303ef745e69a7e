import { createHash } from 'node:crypto';
import type { Api } from '../objects/api.ts';
import { notAcceptable, unknownPath } from '../objects/status.ts';
import { type ApiRequest, type ApiResponse, ok, pageNotFound, plainText } from '../server/request.ts';
import { openApiAnswer } from './openapi.ts';
import { apiVersionOf, type Resource } from './resource.ts';
import { aggregatedAnswer, groupNames, sorted, subresourceOf, verbsOf, versionsOf } from './served.ts';

/** Everything that is no resource: what the API server serves, its version and its health. */
export function discoveryAnswer(api: Api, request: ApiRequest): ApiResponse {
  const [root = '', ...below] = request.path.split('/').filter(Boolean);
  if (root === 'api' || root === 'apis') return apiAnswer(api, request, root, below);
  if (root === 'openapi') return openApiAnswer(api, request) ?? pageNotFound();
  if (root === 'version') return found(serverVersion);
  if (root === '') return found({ paths: rootPaths(api) });
  return ['healthz', 'livez', 'readyz'].includes(root) ? plainText('ok') : pageNotFound();
}

function apiAnswer(api: Api, request: ApiRequest, root: 'api' | 'apis', below: string[]): ApiResponse {
  const [first = '', second = ''] = below;
  if (below.length === 0) return rootAnswer(api, request, root === 'api');
  if (root === 'api') {
    if (below.length === 1 && first === 'v1') return found(resourceList(api, '', 'v1'));
    throw unknownPath();
  }
  if (below.length === 1) return groupAnswer(api, first);
  return below.length === 2 ? versionAnswer(api, first, second) : pageNotFound();
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

const found = (body: unknown): ApiResponse => ok(JSON.stringify(body));

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

function groupOf(api: Api, group: string) {
  const versions = versionsOf(api, group).map((version) => ({
    groupVersion: `${group}/${version}`,
    version,
  }));
  return { name: group, versions, preferredVersion: versions[0] };
}

function groupAnswer(api: Api, group: string): ApiResponse {
  if (!groupNames(api).includes(group)) return pageNotFound();
  return found({ kind: 'APIGroup', apiVersion: 'v1', ...groupOf(api, group) });
}

function versionAnswer(api: Api, group: string, version: string): ApiResponse {
  return versionsOf(api, group).includes(version) ? found(resourceList(api, group, version)) : pageNotFound();
}

function resourceList(api: Api, group: string, version: string) {
  const resources = sorted(api.registry.inGroupVersion(group, version)).flatMap(withSubresources);
  const apiVersion = group === '' ? {} : { apiVersion: 'v1' };
  return { kind: 'APIResourceList', ...apiVersion, groupVersion: apiVersionOf(group, version), resources };
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
