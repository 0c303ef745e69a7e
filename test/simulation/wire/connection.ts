import type { ApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import type { ApiRequest, ApiResponse, EventStream } from '../../../infra/local/kubernetes/server/request.ts';
import { parseJson } from '../../../shared/adapters/kubernetes/read-response.ts';
import type { Wire, WireAnswer, WireBody, WireRequest } from '../../../shared/adapters/kubernetes/wire.ts';
import { asAsked, type Exchange, exchangeOf, labelOf } from './exchange.ts';
import { createFeed } from './feed.ts';
import type { Line, SeenAnswer } from './line.ts';
import { type Fate, fateOf, isLate, refused } from './meddling.ts';
import { aborted, eitherOf, never, unlessAborted } from './promises.ts';
import { type OpenWatch, openWatch } from './watch.ts';

/** The way of one instance to one API server. */
export function connectionOver(line: Line, address: string): Wire {
  const closing = new AbortController();
  const underWay = new Set<Promise<WireAnswer>>();

  return {
    async send(request, lane) {
      if (line.isDead) return never();
      if (closing.signal.aborted) throw new Error('the connection was closed');
      const isWatch = lane === 'watches';
      const signal = isWatch ? eitherOf(request.signal, closing.signal) : request.signal;
      const answer = unlessAborted(signal, travel({ line, address, signal }, request), () => line.isDead);
      if (isWatch) return answer;
      if (request.method !== 'GET') line.begins(`${request.method} ${request.path}`, answer);
      underWay.add(answer);
      return answer.finally(() => underWay.delete(answer));
    },
    async close() {
      closing.abort(new Error('the connection was closed'));
      if (!line.isDead) await Promise.allSettled(underWay);
    },
  };
}

interface Journey {
  line: Line;
  address: string;
  /** Once it is aborted, the client has gone away from this request. */
  signal: AbortSignal;
}

/** There and back. An answer does not arrive after its client has given up, unless it is meant to be late. */
async function travel(journey: Journey, request: WireRequest): Promise<WireAnswer> {
  const { line, address, signal } = journey;
  const asked = asAsked(request);
  const exchange = exchangeOf(asked, { instance: line.instance, host: line.hostAt(address) });
  const label = labelOf(exchange);
  line.leaves(exchange);
  await line.step(label);
  if (signal.aborted) return never();

  const { told, watch: how, effect } = await arrived(journey, exchange, asked);
  if (told === undefined) return never();
  const watch = told instanceof Error ? undefined : opened(journey, exchange, told.stream, how);
  await line.step(`answer to ${label}`);
  if (told instanceof Error) throw told;
  if (told === effect && !signal.aborted) line.heard(exchange);
  const { 'retry-after': seconds } = told.headers;
  if (seconds !== undefined && !signal.aborted) line.heldOff(exchange, Number(seconds));
  watch?.begin();
  return { statusCode: told.status, headers: told.headers, body: watch?.body ?? wholeBody(told.body) };
}

/**
 * What the server did and what the client gets. A mistake of the simulation's own must not pass for a fault of a
 * server.
 */
async function arrived(journey: Journey, exchange: Exchange, asked: ApiRequest): Promise<Fate> {
  const { line, address, signal } = journey;
  try {
    const server = line.serverAt(address);
    const meddling = server === undefined ? 'refused' : line.meddle(exchange);
    if (isLate(meddling)) {
      await aborted(signal);
      await line.step(`late ${labelOf(exchange)}`);
    }
    const fate = server === undefined ? refused() : fateOf(meddling, asked, askOf(line, exchange, server));
    line.seen(exchange, fate.effect && seenAnswer(fate.effect));
    return fate;
  } catch (error) {
    line.defect(error);
    return { effect: undefined, told: undefined };
  }
}

const askOf =
  (line: Line, exchange: Exchange, server: Pick<ApiServer, 'respond'>) =>
  (request: ApiRequest): ApiResponse => {
    line.arrives(exchange);
    return server.respond(request);
  };

function seenAnswer({ status, body, stream }: ApiResponse): SeenAnswer {
  let read: unknown;
  let isRead = stream !== undefined;
  return {
    code: status,
    get body() {
      if (!isRead) read = parseJson(body);
      isRead = true;
      return read;
    },
  };
}

function opened(
  { line, signal }: Journey,
  exchange: Exchange,
  stream: EventStream | undefined,
  how: Fate['watch'],
): OpenWatch | undefined {
  if (stream === undefined) return undefined;
  const label = `line of ${labelOf(exchange)}`;
  const step = (): Promise<void> => line.step(label);
  const watch = openWatch({ exchange, stream, step, over: (ended) => void line.open.delete(ended) });
  line.open.add(watch);
  const leave = (): void => (line.isDead ? undefined : watch.abandon(signal.reason));
  signal.addEventListener('abort', leave, { once: true });
  if (how === 'silent') watch.silence();
  if (how === 'cut') watch.cut();
  if (how === 'expired') watch.expire();
  return watch;
}

function wholeBody(text: string): WireBody {
  const feed = createFeed(() => undefined);
  feed.push(text);
  feed.end();
  return feed;
}
