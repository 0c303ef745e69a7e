import { apiVersionOf } from '../discovery/resource.ts';
import type { Api } from '../objects/api.ts';
import type { KubeObject } from '../objects/cluster.ts';
import type { Target } from '../objects/target.ts';
import { selectionTest } from '../selectors/selection.ts';
import { expiredToken, keyWithin, readToken, type Token, writeToken } from './continue-token.ts';
import { refuseListOptions } from './list-options.ts';

export interface Page {
  readonly objects: readonly KubeObject[];
  readonly resourceVersion: string;
  /** Empty on the last page. */
  readonly continue: string;
  readonly remaining: number | undefined;
}

type Query = Readonly<Record<string, string>>;

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
  return `${head},"metadata":${JSON.stringify(listMetadata(target, page))},"items":[${items.join(',')}]}`;
}

/** Lists of custom resources carry `continue` even when it is empty. */
export function listMetadata({ resource }: Target, page: Page) {
  return {
    resourceVersion: page.resourceVersion,
    ...((page.continue !== '' || resource.isCustom) && { continue: page.continue }),
    ...(page.remaining !== undefined && { remainingItemCount: page.remaining }),
  };
}
