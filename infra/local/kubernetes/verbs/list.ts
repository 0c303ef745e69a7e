import { apiVersionOf, objectKey, type Target } from '../discovery/resource.ts';
import type { Api } from '../objects/api.ts';
import { ApiError, type KubeObject } from '../objects/cluster.ts';
import { badRequest } from '../objects/status.ts';
import { selectionTest } from '../selectors/selection.ts';
import { numberAt, textAt } from '../server/json.ts';
import { type Query, refuseListOptions } from './list-options.ts';

export interface Page {
  readonly objects: readonly KubeObject[];
  readonly resourceVersion: string;
  /** Empty on the last page. */
  readonly continue: string;
  readonly remaining: number | undefined;
}

/** The objects that the query selects, a page at a time when it has a limit. Throws ApiError. */
export function list(api: Api, target: Target, query: Query): Page {
  refuseListOptions(api, query);
  const { resource, version, namespace } = target;
  const matches = selectionTest(resource, version, { ...query, namespace });
  const token = query.continue ? readToken(query.continue) : undefined;
  const isBehind = (object: KubeObject) => !token || `${keyWithin(target, object)}\0` > token.after;
  const objects = storedAt(api, target, token).filter((object) => isBehind(object) && matches(object));
  const found = { objects, version: token && token.version > 0 ? token.version : api.store.version };
  const limit = query.resourceVersion === '0' && !token ? 0 : Number(query.limit ?? 0);
  const hasSelector = Boolean(query.labelSelector || query.fieldSelector);
  return limit > 0 && objects.length > limit
    ? limited(api, target, found, { limit, hasSelector })
    : { objects, resourceVersion: String(found.version), continue: '', remaining: undefined };
}

/** All pages of a list show the moment of the first one. */
function storedAt(api: Api, { resource }: Target, token: Token | undefined): readonly KubeObject[] {
  if (!token || token.version < 0) return api.store.list(resource.storage);
  const kept = api.store.keptAt(resource.storage, token.version);
  if (!kept) throw expiredToken(token);
  return kept;
}

interface Found {
  readonly objects: readonly KubeObject[];
  readonly version: number;
}

function limited(
  api: Api,
  target: Target,
  { objects, version }: Found,
  { limit, hasSelector }: { limit: number; hasSelector: boolean },
): Page {
  const page = objects.slice(0, limit);
  const last = page.at(-1);
  if (version === api.store.version) api.store.keep(target.resource.storage);
  return {
    objects: page,
    resourceVersion: String(version),
    continue: writeToken({ version, after: last ? `${keyWithin(target, last)}\0` : '' }),
    remaining: hasSelector ? undefined : objects.length - limit,
  };
}

/** The page as the body of an answer. */
export function listBody(api: Api, target: Target, page: Page): string {
  const { resource, version } = target;
  const head = `{"kind":"${resource.listKind}","apiVersion":"${apiVersionOf(resource.group, version)}"`;
  const items = page.objects.map((object) => api.wire.item(resource, version, object));
  return `${head},"metadata":${JSON.stringify(pageMetadata(page, resource.isCustom))},"items":[${items.join(',')}]}`;
}

/** Lists of custom resources carry `continue` even when it is empty. */
export function pageMetadata(page: Page, isAlwaysContinued = false) {
  return {
    resourceVersion: page.resourceVersion,
    ...((page.continue !== '' || isAlwaysContinued) && { continue: page.continue }),
    ...(page.remaining !== undefined && { remainingItemCount: page.remaining }),
  };
}

/** Where a list goes on: after which key, and at what version (negative: now). */
interface Token {
  readonly version: number;
  readonly after: string;
}

/** The key of an object below the path that is listed. */
function keyWithin({ namespace }: Target, { metadata }: KubeObject): string {
  return objectKey(namespace === undefined ? metadata.namespace : undefined, metadata.name);
}

function writeToken({ version, after }: Token): string {
  const text = JSON.stringify({ v: 'meta.k8s.io/v1', rv: version, start: after });
  return Buffer.from(text).toString('base64url');
}

/** Throws ApiError 400 for what is no token. */
function readToken(text: string): Token {
  const token = parsed(text);
  const version = numberAt(token, 'rv');
  if (version === undefined) throw badRequest('continue key is not valid: illegal base64 data');
  return { version, after: textAt(token, 'start') };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

const tooOld =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** The answer to a token whose moment is forgotten; it holds one that goes on as of now. */
function expiredToken({ after }: Token): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: { continue: writeToken({ version: -1, after }) },
    status: 'Failure',
    message: tooOld,
    reason: 'Expired',
    code: 410,
  });
}
