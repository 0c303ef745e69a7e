import type { ChangeType, Resource, Selection, WatchListener } from '../../kubernetes/client.ts';
import { isRecord, type KubeObject } from '../../kubernetes/objects.ts';
import type { Clock } from '../../time/clock.ts';
import { isKubeObject, parseJson } from './read-response.ts';
import { type ApiRequest, collectionOf, queryOf, type Transport } from './request.ts';

export const defaultWatchSeconds = 300;
/** How much longer than agreed a stream may last before it counts as dead. */
const graceSeconds = 10;

type WatchLine =
  | { kind: 'change'; type: ChangeType; object: KubeObject }
  | { kind: 'bookmark' }
  | { kind: 'expired' }
  | { kind: 'broken' };

type OnChange = (type: ChangeType, object: KubeObject) => void;

interface WatchOptions {
  clock: Clock;
  timeoutSeconds: number;
}

/** Every stream ends: by the server after `timeoutSeconds`, by us shortly after, or by the returned stop. */
export function watch(
  transport: Transport,
  request: ApiRequest,
  listener: WatchListener,
  { clock, timeoutSeconds }: WatchOptions,
): () => void {
  const controller = new AbortController();
  let stopped = false;
  const cancelAgeLimit = clock.after((timeoutSeconds + graceSeconds) * 1000, () => controller.abort());

  const end = (expired: boolean): void => {
    cancelAgeLimit();
    if (!stopped) listener.ended(expired);
    stopped = true;
  };
  const changed: OnChange = (type, object) => {
    if (!stopped) listener.changed(type, object);
  };
  readStream(transport, request, changed, controller.signal).then(end, () => end(false));

  return () => {
    stopped = true;
    cancelAgeLimit();
    controller.abort();
  };
}

export function watchRequest(
  resource: Resource,
  selection: Selection,
  resourceVersion: string,
  timeoutSeconds: number,
): ApiRequest {
  const query = queryOf(selection, {
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion,
    timeoutSeconds: String(timeoutSeconds),
  });
  return { method: 'GET', verb: 'watch', address: collectionOf(resource, selection.namespace), query };
}

/** Whether the stream ended because the resourceVersion was too old. */
async function readStream(
  transport: Transport,
  request: ApiRequest,
  changed: OnChange,
  signal: AbortSignal,
): Promise<boolean> {
  const { code, body } = await transport.open(request, signal);
  try {
    if (code !== 200) return code === 410;
    for await (const text of completeLines(body)) {
      const line = parseLine(text);
      if (line.kind === 'expired') return true;
      // A line that cannot be read may have been the one that mattered: the caller must list again.
      if (line.kind === 'broken') return false;
      if (line.kind === 'change') changed(line.type, line.object);
    }
    return false;
  } finally {
    body.destroy();
  }
}

function parseLine(text: string): WatchLine {
  const event = parseJson(text);
  if (!isRecord(event)) return { kind: 'broken' };
  const { type, object } = event;
  if (type === 'BOOKMARK') return { kind: 'bookmark' };
  if (type === 'ERROR') return { kind: isRecord(object) && object['code'] === 410 ? 'expired' : 'broken' };
  if (!isChangeType(type) || !isKubeObject(object)) return { kind: 'broken' };
  return { kind: 'change', type, object };
}

function isChangeType(type: unknown): type is ChangeType {
  return type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED';
}

/** No object comes near this size; a longer line is no watch event. */
const longestLine = 32 * 1024 * 1024;

/** Complete lines only: what follows the last line end was cut off and is not passed on. */
export async function* completeLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  // Joined once the line is whole. To join at every chunk would cost its length each time and block the process.
  let pieces: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const [first = '', ...others] = chunk.split('\n');
    pieces.push(first);
    length += first.length;
    const rest = others.pop();
    const lines = rest === undefined ? [] : [pieces.join(''), ...others];
    if (rest !== undefined) {
      pieces = [rest];
      length = rest.length;
    }
    if (length > longestLine) throw new Error('a line of the watch is too long');
    for (const line of lines) if (line.trim() !== '') yield line;
  }
}
