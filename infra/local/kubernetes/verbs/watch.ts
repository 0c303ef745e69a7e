import { apiVersionOf, type Cause, type Target } from '../discovery/resource.ts';
import type { Api } from '../objects/api.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { kubeObject, withMetadata } from '../objects/kube-object.ts';
import { failure, forbidden, invalid, unsupported } from '../objects/status.ts';
import type { Change } from '../objects/store.ts';
import { type ObjectTest, selectionTest } from '../selectors/selection.ts';
import type { EventStream } from '../server/request.ts';
import { Lines } from './lines.ts';
import { type Query, readInteger, readVersion } from './list-options.ts';

/** How one object is written on a watch. */
type Encode = (object: KubeObject) => string;

export interface WatchRequest {
  readonly target: Target;
  readonly query: Query;
  readonly encode: Encode;
}

const bookmarkBeforeEndMilliseconds = 2000;
const bookmarkEveryMilliseconds = 60_000;
const defaultTimeoutSeconds = 1800;

/** Opens a watch. Throws ApiError for a query that is refused before the stream begins. */
export function watch(api: Api, request: WatchRequest): EventStream {
  const { target, query } = request;
  const timeoutSeconds = readSeconds(query.timeoutSeconds);
  refuseOptions(query);
  const version = readVersion(query.resourceVersion);
  const matches = selectionTest(target.resource, target.version, { ...query, namespace: target.namespace });
  const stream = new Lines();
  begin(api, request, { stream, matches, version });
  if (!stream.isEnded) follow(api, request, { stream, matches, version });
  if (!stream.isEnded) endLater(api, request, stream, timeoutSeconds);
  return stream;
}

interface Opened {
  readonly stream: Lines;
  readonly matches: ObjectTest;
  readonly version: number | undefined;
}

/** What exists (without a version), or what has changed since the version. */
function begin(
  api: Api,
  { target, query, encode }: WatchRequest,
  { stream, matches, version }: Opened,
): void {
  const { storage } = target.resource;
  const wantsInitial = query.sendInitialEvents === 'true';
  if (wantsInitial || ((version === undefined || version === 0) && query.sendInitialEvents !== 'false')) {
    for (const object of api.store.list(storage))
      if (matches(object)) stream.write(event('ADDED', encode(object)));
    if (wantsInitial && query.allowWatchBookmarks === 'true')
      stream.write(bookmark({ target, encode }, String(api.store.version), true));
    return;
  }
  if (version === undefined || version === 0) return;
  const missed = api.store.since(version);
  if (missed) return writeAll(stream, missed, storage, { matches, encode, after: version });
  const { body } = failure(
    410,
    'Expired',
    `too old resource version: ${version} (${api.store.forgottenUpTo})`,
  );
  stream.write(event('ERROR', JSON.stringify(body)));
  stream.end();
}

interface Filter {
  readonly matches: ObjectTest;
  readonly encode: Encode;
  readonly after: number;
}

function writeAll(stream: Lines, changes: readonly Change[], storage: string, filter: Filter): void {
  for (const change of changes) if (change.storage === storage) writeChange(stream, change, filter);
}

/**
 * An object that enters the selection is ADDED. One that leaves it is DELETED, with its former state and the new
 * version.
 */
function writeChange(stream: Lines, change: Change, { matches, encode, after }: Filter): void {
  if (change.version <= after) return;
  const { previous, object } = change;
  const was = previous !== undefined && matches(previous);
  const is = change.type !== 'DELETED' && matches(object);
  if (is) stream.write(event(was ? 'MODIFIED' : 'ADDED', encode(object)));
  else if (was)
    stream.write(event('DELETED', encode(change.type === 'DELETED' ? object : leaving(previous, object))));
}

const leaving = (previous: KubeObject, { metadata: { resourceVersion } }: KubeObject): KubeObject =>
  withMetadata(previous, { resourceVersion });

function follow(api: Api, { target, encode }: WatchRequest, { stream, matches, version }: Opened): void {
  const { storage } = target.resource;
  const filter = { matches, encode, after: version ?? 0 };
  const stop = api.store.onChangeOf(storage, (change) => writeChange(stream, change, filter));
  stream.onStop(stop);
}

function endLater(api: Api, request: WatchRequest, stream: Lines, timeoutSeconds: number): void {
  const { query } = request;
  const total = timeoutSeconds * 1000;
  stream.onStop(api.clock.after(total, () => stream.end()));
  if (query.allowWatchBookmarks !== 'true') return;
  const mark = () => stream.write(bookmark(request, String(api.store.version), false));
  const remember = (milliseconds: number) => {
    if (milliseconds <= 0) return;
    stream.onStop(
      api.clock.after(milliseconds, () => {
        mark();
        if (milliseconds === bookmarkEveryMilliseconds) remember(bookmarkEveryMilliseconds);
      }),
    );
  };
  if (total > bookmarkEveryMilliseconds) remember(bookmarkEveryMilliseconds);
  remember(total - bookmarkBeforeEndMilliseconds);
}

/** A whole line of the stream. */
function event(type: string, object: string): string {
  return `{"type":"${type}","object":${object}}\n`;
}

/** An object with only the watch's resourceVersion. The first one also marks the end of the initial list. */
function bookmark(
  { target, encode }: Pick<WatchRequest, 'target' | 'encode'>,
  resourceVersion: string,
  isInitialEnd: boolean,
): string {
  const { kind, group, storageVersion, rules } = target.resource;
  const annotations = isInitialEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
  const apiVersion = apiVersionOf(group, storageVersion);
  const metadata = { resourceVersion, ...annotations };
  return event('BOOKMARK', encode(kubeObject({ kind, apiVersion, metadata, ...rules.zero })));
}

function readSeconds(text: string | undefined): number {
  if (text === undefined) return defaultTimeoutSeconds;
  return readInteger(text) || defaultTimeoutSeconds;
}

/** The rules that bind sendInitialEvents and resourceVersionMatch to one another. */
function refuseOptions({ sendInitialEvents, resourceVersionMatch }: Query): void {
  const field = 'resourceVersionMatch';
  const causes: Cause[] = [];
  if (sendInitialEvents !== undefined && resourceVersionMatch !== 'NotOlderThan') {
    causes.push(forbidden(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
    if (resourceVersionMatch) causes.push(unsupported(field, resourceVersionMatch, ['NotOlderThan']));
  }
  if (sendInitialEvents === undefined && resourceVersionMatch) {
    causes.push(
      forbidden(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
    );
  }
  if (causes.length > 0) throw invalid('meta.k8s.io', 'ListOptions', '', causes);
}
