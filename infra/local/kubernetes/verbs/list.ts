import type { Api, Target } from '../api.ts';
import type { KubeObject } from '../cluster.ts';
import { numberAt, textAt } from '../json.ts';
import { apiVersionOf, objectKey } from '../resource.ts';
import { selectionTest } from '../selectors/selection.ts';
import { refuseListOptions } from './list-options.ts';
import { badRequest } from '../status.ts';

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
  const { resource, version, namespace } = target;
  refuseListOptions(api, query);
  const matches = selectionTest(resource, version, { ...query, namespace });
  const stored = api.store.list(resource.storage);
  const token = query.continue ? readToken(query.continue) : undefined;
  const objects = stored.filter((object) => matches(object) && (!token || keyOf(object) > token.after));
  const resourceVersion = String(token?.version ?? api.store.version);
  const limit = query.resourceVersion === '0' && !token ? 0 : Number(query.limit ?? 0);
  if (limit <= 0 || objects.length <= limit)
    return { objects, resourceVersion, continue: '', remaining: undefined };
  const page = objects.slice(0, limit);
  const last = page.at(-1);
  const hasSelector = Boolean(query.labelSelector || query.fieldSelector);
  return {
    objects: page,
    resourceVersion,
    continue: writeToken({ version: Number(resourceVersion), after: last ? keyOf(last) : '' }),
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

function keyOf({ metadata }: KubeObject): string {
  return objectKey(metadata.namespace, metadata.name);
}

interface Token {
  readonly version: number;
  readonly after: string;
}

function writeToken({ version, after }: Token): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: version, start: after })).toString(
    'base64url',
  );
}

function readToken(text: string): Token {
  const token = parsedToken(text);
  const version = numberAt(token, 'rv');
  if (version === undefined) throw badRequest('continue key is not valid: illegal base64 data');
  return { version, after: textAt(token, 'start') };
}

function parsedToken(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}
