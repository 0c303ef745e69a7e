import type { User } from '../authorization/user.ts';
import type { Registry } from '../discovery/registry.ts';
import type { Cause, Target } from '../discovery/resource.ts';
import type { ApiError } from '../objects/cluster.ts';
import { invalid, unsupported } from '../objects/status.ts';

/** A request as it comes over HTTP or from the same process. Header names are in lower case. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Who asks, once that was found out. */
  readonly user?: User;
  /** So many changes of what is read have not reached the cache that answers. Without it no cache answers. */
  readonly changesBehind?: number;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** Present on a watch: the body comes bit by bit. */
  readonly stream?: EventStream;
}

/** JSON, in an answer. */
export const ok = (body: string, status = 200): ApiResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body,
});

export const plainText = (body: string, status = 200): ApiResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
});

/** The answer to a path that nothing serves. */
export const pageNotFound = (): ApiResponse => plainText('404 page not found\n', 404);

/** The lines of a watch. */
export interface EventStream {
  /** Hands over the lines so far and every one to come, and tells when the server ends the stream. */
  read(onLine: (line: string) => void, onEnd: () => void): void;
  /** The client goes away. */
  close(): void;
}

/** What a path below a group and version names: `undefined` when no such resource is served. */
export function targetOf(registry: Registry, path: string): Target | undefined {
  const parts = withoutWatchPrefix(segmentsOf(path));
  const [root, ...rest] = parts;
  if (root === 'api') return targetIn(registry, '', rest);
  const [group = '', ...below] = rest;
  return root === 'apis' ? targetIn(registry, group, below) : undefined;
}

/** What stands between the slashes of a path. */
export function segmentsOf(path: string): string[] {
  const parts = path.split('/').filter(Boolean);
  return path.includes('%') ? parts.map(decodeURIComponent) : parts;
}

const watchPrefix = /^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)\/watch\//;

/** The old way to ask for a watch: `/api/v1/watch/...` is `/api/v1/...?watch=true`. */
function withoutWatchPrefix(parts: string[]): string[] {
  const at = parts[0] === 'api' ? 2 : 3;
  return parts[at] === 'watch' && parts.length > at + 1 ? parts.toSpliced(at, 1) : parts;
}

function targetIn(registry: Registry, group: string, [version = '', ...rest]: string[]): Target | undefined {
  const isNamespaced = rest[0] === 'namespaces' && rest.length > 2 && !isNamespaceSubresource(group, rest);
  const namespace = isNamespaced ? rest[1] : undefined;
  const [plural = '', name = '', ...subresource] = isNamespaced ? rest.slice(2) : rest;
  const resource = registry.at(group, version, plural);
  if (!resource) return undefined;
  if (namespace !== undefined && !resource.namespaced) return undefined;
  return { resource, version, namespace, name, subresource: subresource.join('/') };
}

function isNamespaceSubresource(group: string, rest: string[]): boolean {
  return group === '' && rest.length === 3 && (rest[2] === 'status' || rest[2] === 'finalize');
}

export function isOldWatch({ path }: ApiRequest): boolean {
  return watchPrefix.test(path);
}

export function isWatch(request: ApiRequest): boolean {
  const { query } = request;
  return isOldWatch(request) || query?.watch === 'true' || query?.watch === '1';
}

const optionKinds: Readonly<Record<string, string>> = {
  PUT: 'UpdateOptions',
  PATCH: 'PatchOptions',
  DELETE: 'DeleteOptions',
};

/** 422 about the options of a request. */
export const invalidOptions = ({ method }: Pick<ApiRequest, 'method'>, causes: readonly Cause[]): ApiError =>
  invalid('meta.k8s.io', optionKinds[method] ?? 'CreateOptions', '', causes);

/** Whether the request is a dry run. Throws ApiError 422 for anything but `All`. */
export function isDryRun(request: ApiRequest): boolean {
  const dryRun = request.query?.dryRun ?? '';
  const causes = dryRunRefusals(dryRun === '' ? [] : [dryRun]);
  if (causes.length > 0) throw invalidOptions(request, causes);
  return dryRun === 'All';
}

export const dryRunRefusals = (dryRun: readonly unknown[]): Cause[] =>
  dryRun.every((one) => one === 'All') ? [] : [unsupported('dryRun', dryRun, ['All'])];
