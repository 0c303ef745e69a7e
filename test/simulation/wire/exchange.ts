import { attributesOf } from '../../../infra/local/kubernetes/authorization/attributes.ts';
import type { ApiRequest } from '../../../infra/local/kubernetes/server/request.ts';
import type { WireRequest } from '../../../shared/adapters/kubernetes/wire.ts';

/** One request of one instance, as it stands on the wire. */
export interface Exchange {
  instance: string;
  /** Host of the API server. */
  host: string;
  method: string;
  /** Kubernetes' verb: get, list, watch, create, update, patch or delete. */
  verb: string;
  /** `pods/eviction`, `machines.cluster.x-k8s.io`; the path itself where it names no resource. */
  resource: string;
  /** Empty in the whole cluster. */
  namespace: string;
  /** Empty for a collection, unless one name is selected from it. */
  name: string;
  path: string;
  query: Readonly<Record<string, string>>;
  /** Undefined where none is sent. */
  body: unknown;
}

const noQuery = {};

/** The request as the API server takes it. */
export function asAsked({ method, path, headers, body }: WireRequest): ApiRequest {
  const [bare = '', query] = path.split('?');
  return {
    method,
    path: bare,
    headers,
    query: query === undefined ? noQuery : Object.fromEntries(new URLSearchParams(query)),
    ...(body !== null && { body }),
  };
}

export function exchangeOf(asked: ApiRequest, from: Pick<Exchange, 'instance' | 'host'>): Exchange {
  const { method, path, query = noQuery } = asked;
  const body: unknown = asked.body === undefined ? undefined : JSON.parse(asked.body);
  const about = attributesOf(asked);
  const exchange = { ...from, method, verb: about.verb, path, query, body };
  if (about.kind === 'path') return { ...exchange, resource: path, namespace: '', name: '' };
  const { group, resource, subresource, namespace, name } = about;
  const full = group === '' ? resource : `${resource}.${group}`;
  return { ...exchange, resource: subresource === '' ? full : `${full}/${subresource}`, namespace, name };
}

/** `get machines.cluster.x-k8s.io fleet/m1 of management by instance-1`. */
export function labelOf({ verb, resource, namespace, name, host, instance }: Exchange): string {
  const key = namespace === '' || name === '' ? namespace + name : `${namespace}/${name}`;
  return `${verb} ${resource}${key === '' ? '' : ` ${key}`} of ${host} by ${instance}`;
}
