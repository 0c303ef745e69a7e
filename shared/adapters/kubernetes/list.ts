import type { ObjectList, Resource, Selection } from '../../kubernetes/client.ts';
import { Unavailable } from '../../kubernetes/errors.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { collectionOf, queryOf } from './address.ts';
import { isRecord } from './json.ts';
import { askAndRead, couldNotLook, isKubeObject, isSuccess } from './read-response.ts';
import type { ApiRequest, Transport } from './request.ts';

const pageSize = 500;

interface Page {
  items: KubeObject[];
  resourceVersion: string;
  continueToken: string;
}

type Hold = (object: KubeObject) => KubeObject | undefined;

type Attempt = { kind: 'complete'; list: ObjectList } | { kind: 'expired' };

/** All pages or none: throws Unavailable rather than answering a part of the list. */
export async function list(
  transport: Transport,
  resource: Resource,
  selection: Selection,
  hold: Hold = (object) => object,
): Promise<ObjectList> {
  const first = await readAllPages(transport, resource, selection, hold);
  if (first.kind === 'complete') return first.list;
  // The snapshot the pages come from was compacted meanwhile. A second time means we are too slow for it.
  const second = await readAllPages(transport, resource, selection, hold);
  if (second.kind === 'complete') return second.list;
  const request = pageRequest(resource, selection, '');
  throw new Unavailable(`${transport.label(request)}: the list expired twice while its pages were read`);
}

async function readAllPages(
  transport: Transport,
  resource: Resource,
  selection: Selection,
  hold: Hold,
): Promise<Attempt> {
  const items: KubeObject[] = [];
  let token = '';
  for (;;) {
    const page = await readPage(transport, pageRequest(resource, selection, token));
    if (page === 'expired') return { kind: 'expired' };
    items.push(...page.items.map(hold).filter((item) => item !== undefined));
    const { resourceVersion, continueToken } = page;
    if (continueToken === '') return { kind: 'complete', list: { items, resourceVersion } };
    // A server that gives the same token again would have us read for ever.
    if (continueToken === token) return { kind: 'expired' };
    token = continueToken;
  }
}

function pageRequest(resource: Resource, selection: Selection, token: string): ApiRequest {
  const query = queryOf(selection, { limit: String(pageSize), continue: token });
  return { method: 'GET', verb: 'list', address: collectionOf(resource, selection.namespace), query };
}

async function readPage(transport: Transport, request: ApiRequest): Promise<Page | 'expired'> {
  const answer = await askAndRead(transport, request);
  if (answer.code === 410) return 'expired';
  const page = isSuccess(answer) ? parsePage(answer.body) : undefined;
  if (page === undefined) throw couldNotLook(transport, request, answer);
  return page;
}

function parsePage(body: unknown): Page | undefined {
  if (!isRecord(body) || !isRecord(body['metadata'])) return undefined;
  const { resourceVersion, continue: continueToken = '' } = body['metadata'];
  const items = body['items'] ?? [];
  if (typeof resourceVersion !== 'string' || typeof continueToken !== 'string') return undefined;
  if (!Array.isArray(items) || !items.every(isKubeObject)) return undefined;
  return { items: items.map(withKindOf(body)), resourceVersion, continueToken };
}

/** Items of core lists come without kind and apiVersion; only the list says what they are. */
function withKindOf(listBody: Record<string, unknown>): (item: KubeObject) => KubeObject {
  const { apiVersion, kind } = listBody;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !kind.endsWith('List'))
    return (item) => item;
  const itemKind = kind.slice(0, -'List'.length);
  return (item) => (item.kind === undefined ? { apiVersion, kind: itemKind, ...item } : item);
}
