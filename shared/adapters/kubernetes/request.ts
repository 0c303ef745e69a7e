import type { Key, Resource, Selection } from '../../kubernetes/client.ts';
import type { Lane, WireBody, WireRequest } from './wire.ts';

/** One request, before it has credentials and a host. */
export interface ApiRequest {
  method: WireRequest['method'];
  /** Kubernetes' verb, for counting. */
  verb: string;
  address: Address;
  query?: string;
  body?: unknown;
  contentType?: string;
  /** Forms of the answer, the preferred one first. `application/json` where none is given. */
  accept?: string;
  /** Overrides the connection's own time box. */
  timeoutMilliseconds?: number;
  /** Among all other requests, unless something else is given. */
  lane?: Lane;
}

/** The API server's answer, unread. */
export interface Answer {
  code: number;
  text: string;
  retryAfter: string | undefined;
}

export interface OpenStream {
  code: number;
  body: Pick<WireBody, typeof Symbol.asyncIterator | 'destroy'>;
}

/** For counting requests; `code` 0 means that no answer came. */
export interface RequestReport {
  verb: string;
  resource: string;
  code: number;
  milliseconds: number;
}

/** `unreachable`: no connection; `silent`: connected, but no answer in time. */
export type Contact = 'answered' | 'unauthorized' | 'unreachable' | 'silent';

/** HTTP to one API server: connections, credentials, time boxes and counting, but no meaning. */
export interface Transport {
  /** Any HTTP answer is a value; throws Unavailable when there is none. */
  ask(request: ApiRequest): Promise<Answer>;
  /** The body arrives as text while `signal` is not aborted. Throws Unavailable when the server cannot be asked. */
  open(request: ApiRequest, signal: AbortSignal): Promise<OpenStream>;
  /** `GET nodes/x of https://host`: the start of every message about a request. */
  label(request: ApiRequest): string;
  close(): Promise<void>;
}

/** Where a resource lives: its path, and how messages and counters name it. */
interface Address {
  path: string;
  /** `namespaces/default/pods/a`, `machines.cluster.x-k8s.io`: for people. */
  label: string;
  /** `pods/eviction`, `machines.cluster.x-k8s.io`: the resource alone, for counting. */
  resource: string;
}

export function addressOf(resource: Resource, key: Key, subresource?: string): Address {
  const of = collectionOf(resource, key.namespace);
  const suffix = subresource === undefined ? '' : `/${subresource}`;
  return {
    path: `${of.path}/${encodeURIComponent(key.name)}${suffix}`,
    label: `${of.label}/${key.name}${suffix}`,
    resource: `${of.resource}${suffix}`,
  };
}

export function collectionOf(resource: Resource, namespace?: string): Address {
  const within = namespace === undefined ? '' : `namespaces/${encodeURIComponent(namespace)}/`;
  const name = resourceName(resource);
  return {
    path: `${versionPath(resource.group, resource.version)}/${within}${resource.plural}`,
    label: namespace === undefined ? name : `namespaces/${namespace}/${name}`,
    resource: name,
  };
}

/** The core group lives apart from all others. */
export function versionPath(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

export function queryOf(selection: Selection, more: Record<string, string | undefined>): string {
  const { labelSelector, fieldSelector } = selection;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ labelSelector, fieldSelector, ...more })) {
    if (value !== undefined && value !== '') query.set(name, value);
  }
  return query.toString();
}

function resourceName({ group, plural }: Resource): string {
  return group === '' ? plural : `${plural}.${group}`;
}
