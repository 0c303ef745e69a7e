import { pause } from './clock.ts';
import { sessionHeaders } from './session.ts';

/** How the page stands with its server. `closed`: there is no session. `ended`: the server does not answer. */
export type ConnectionState = 'connecting' | 'live' | 'closed' | 'ended';

export interface Listener<T> {
  found(view: T): void;
  stands(standing: ConnectionState): void;
}

const againMilliseconds = 2_000;

/**
 * Reads a view by server-sent events until it is stopped. By fetch: an EventSource cannot send the key. Returns the way to
 * stop.
 */
export function readLive<T>(path: string, listener: Listener<T>): () => void {
  const stopping = new AbortController();
  void keepReading(path, listener, stopping.signal);
  return () => stopping.abort();
}

async function keepReading<T>(path: string, listener: Listener<T>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const end = await readOnce(path, listener, signal);
    if (signal.aborted) return;
    // The server ends a stream now and then to look at the session again.
    if (end === 'over') continue;
    listener.stands(end === 'closed' ? 'closed' : 'ended');
    if (end === 'closed') return;
    await pause(againMilliseconds);
  }
}

/** `over`: the server has said all; `lost`: it does not answer; `closed`: there is no session. */
type End = 'over' | 'lost' | 'closed';

/** Until the stream ends. */
async function readOnce<T>(path: string, listener: Listener<T>, signal: AbortSignal): Promise<End> {
  try {
    const response = await fetch(path, {
      headers: { ...sessionHeaders(), accept: 'text/event-stream' },
      signal,
    });
    if (response.status === 401) return 'closed';
    if (!response.ok || response.body === null) return 'lost';
    listener.stands('live');
    for await (const view of eventsIn<T>(response.body)) listener.found(view);
    return 'over';
  } catch {
    // The connection is lost, or it was stopped.
    return 'lost';
  }
}

async function* eventsIn<T>(body: ReadableStream<Uint8Array>): AsyncGenerator<T> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) if (event.startsWith('data: ')) yield JSON.parse(event.slice(6));
  }
}
