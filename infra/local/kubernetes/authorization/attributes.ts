import type { ApiError } from '../objects/cluster.ts';
import { detailsOf, failure, qualified } from '../objects/status.ts';
import { type ApiRequest, isOldWatch, isWatch, segmentsOf } from '../server/request.ts';

/** The parts of a request that decide whether it is permitted. */
export type Attributes = ResourceAttributes | { kind: 'path'; verb: string; path: string };

export interface ResourceAttributes {
  kind: 'resource';
  verb: string;
  group: string;
  resource: string;
  /** Empty for the main resource. */
  subresource: string;
  /** Empty in the whole cluster. */
  namespace: string;
  /** Empty for a collection. */
  name: string;
}

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/**
 * By its path alone, whether or not such a resource is served. A user without the right is not told what there is.
 * Rules are those by which the API server reads paths.
 */
export function attributesOf(request: ApiRequest): Attributes {
  const { method, path } = request;
  const parts = segmentsOf(path);
  const [root = '', first = '', ...rest] = parts;
  if (root === 'api' && rest.length > 0) return resourceOf(request, '', rest);
  if (root === 'apis' && rest.length > 1) return resourceOf(request, first, rest.slice(1));
  return { kind: 'path', verb: verbs[method] ?? method.toLowerCase(), path };
}

function resourceOf(request: ApiRequest, group: string, below: string[]): ResourceAttributes {
  const parts = below[0] === 'watch' ? below.slice(1) : below;
  const namespace = parts[0] === 'namespaces' ? (parts[1] ?? '') : '';
  const isNamespaced =
    namespace !== '' && parts.length > 2 && !namespaceSubresources.includes(parts[2] ?? '');
  const [resource = '', named = '', subresource = ''] = isNamespaced ? parts.slice(2) : parts;
  const verb = verbOf(request, named === '');
  const isSelection = ['list', 'watch', 'deletecollection'].includes(verb) && named === '';
  const name = isSelection ? selectedName(request) : named;
  return { kind: 'resource', verb, group, resource, subresource, namespace, name };
}

const namespaceSubresources = ['status', 'finalize'];

/** Kubernetes' word for the request, if it is about a resource. */
export function verbOf(request: ApiRequest, isCollection: boolean): string {
  const verb = verbs[request.method] ?? 'get';
  if (verb === 'delete' && isCollection) return 'deletecollection';
  if (verb !== 'get' || !(isCollection || isOldWatch(request))) return verb;
  return isWatch(request) ? 'watch' : 'list';
}

/** A collection from which one name is selected is asked for like that one object. */
const selectedName = ({ query }: ApiRequest): string =>
  /(?:^|,)metadata\.name==?([^,]+)/.exec(query?.fieldSelector ?? '')?.[1] ?? '';

/** 403 in the API server's words: who may not do what, and where. */
export function forbidden(userName: string, attributes: Attributes, reason = ''): ApiError {
  const why = `${cannot(userName, attributes)}${reason === '' ? '' : `: ${reason}`}`;
  if (attributes.kind === 'path') return failure(403, 'Forbidden', `forbidden: ${why}`, {});
  const { group, resource, name } = attributes;
  const what = name === '' ? qualified(resource, group) : `${qualified(resource, group)} "${name}"`;
  return failure(403, 'Forbidden', `${what} is forbidden: ${why}`, detailsOf(name, group, resource));
}

function cannot(userName: string, attributes: Attributes): string {
  const start = `User "${userName}" cannot ${attributes.verb}`;
  if (attributes.kind === 'path') return `${start} path "${attributes.path}"`;
  const { group, resource, subresource, namespace } = attributes;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `${start} resource "${full}" in API group "${group}" ${where}`;
}
