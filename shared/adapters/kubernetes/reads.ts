import type { Key, ObjectList, Resource, Selection, WriteOutcome } from '../../kubernetes/client.ts';
import { Unavailable } from '../../kubernetes/errors.ts';
import { isRecord, type KubeObject } from '../../kubernetes/objects.ts';
import type { Clock, Stopwatch } from '../../time/clock.ts';
import {
  askAndRead,
  couldNotLook,
  isKubeObject,
  isObjectAbsent,
  isSuccess,
  objectNamed,
} from './read-response.ts';
import { type ApiRequest, addressOf, collectionOf, queryOf, type Transport } from './request.ts';

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

/** The object as stored now (no resourceVersion is asked for, so no cache may answer). */
export async function get(
  transport: Transport,
  resource: Resource,
  key: Key,
): Promise<KubeObject | undefined> {
  const request: ApiRequest = { method: 'GET', verb: 'get', address: addressOf(resource, key) };
  const answer = await askAndRead(transport, request);
  const object = isSuccess(answer) ? objectNamed(answer.body, key.name) : undefined;
  if (object !== undefined) return object;
  if (isObjectAbsent(answer, resource, key)) return undefined;
  throw couldNotLook(transport, request, answer);
}

/** A cluster that was restored from a backup goes on at an older version. It is believed after this time. */
const rememberedMilliseconds = 60_000;

interface Seen {
  version: number;
  age: Stopwatch;
}

/**
 * The newest version of each resource that one API server has shown. An older list comes from a server that has fallen
 * behind: what is missing from it would pass for gone. Versions of one resource may be compared (KEP-5504, since
 * Kubernetes 1.35, and etcd's always). A version that is no number is not compared.
 */
export class NewestSeen {
  readonly #clock: Clock;
  readonly #seen = new Map<string, Seen>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  object(resource: Resource, object: KubeObject | undefined): KubeObject | undefined {
    if (object !== undefined) this.#note(resource, object.metadata.resourceVersion);
    return object;
  }

  written(resource: Resource, outcome: WriteOutcome): WriteOutcome {
    if (outcome.kind === 'written') this.object(resource, outcome.object);
    return outcome;
  }

  /** The list, which is asked for once more when it is too old. Throws Unavailable when it is so again. */
  async list(resource: Resource, read: () => Promise<ObjectList>): Promise<ObjectList> {
    const least = this.#newest(resource);
    const first = await read();
    const newest = isOlder(first, least) ? await read() : first;
    if (isOlder(newest, least)) throw new Unavailable(tooOld(resource, newest, least));
    this.#note(resource, newest.resourceVersion);
    return newest;
  }

  #newest(resource: Resource): number {
    const seen = this.#seen.get(nameOf(resource));
    return seen === undefined || seen.age() > rememberedMilliseconds ? 0 : seen.version;
  }

  #note(resource: Resource, text: string | undefined): void {
    const version = versionOf(text);
    if (version === undefined || version < this.#newest(resource)) return;
    this.#seen.set(nameOf(resource), { version, age: this.#clock.stopwatch() });
  }
}

const nameOf = ({ group, plural }: Resource): string => `${plural}.${group}`;

const versionOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d*$/.test(text) ? Number(text) : undefined;

const isOlder = ({ resourceVersion }: ObjectList, least: number): boolean =>
  (versionOf(resourceVersion) ?? Infinity) < least;

const tooOld = ({ plural }: Resource, { resourceVersion }: ObjectList, least: number): string =>
  `the list of ${plural} is of version ${resourceVersion}, and ${least} was seen before: the API server has fallen behind`;
