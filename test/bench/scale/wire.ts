import type { ApiResponse } from '../../../infra/local/kubernetes/server/request.ts';
import type { ConnectOptions } from '../../../shared/adapters/kubernetes/connect.ts';
import { transportOver } from '../../../shared/adapters/kubernetes/transport.ts';
import type { Wire, WireAnswer, WireBody, WireRequest } from '../../../shared/adapters/kubernetes/wire.ts';
import { unlessAborted } from '../../../shared/async/timeout.ts';
import { asAsked, type Exchange, exchangeOf } from '../../simulation/wire/exchange.ts';
import { createFeed } from '../../simulation/wire/feed.ts';
import { type OpenWatch, openWatch } from '../../simulation/wire/watch.ts';
import type { BusyServer } from './busy-server.ts';
import { Connections } from './connections.ts';
import { constants } from './constants.ts';
import type { BusyProcess } from './process.ts';
import { Turns } from './turns.ts';

/** Who counts what is sent. */
export interface WireListener {
  sent(exchange: Exchange): void;
  /** Undefined where the client has given it up. */
  over(exchange: Exchange, status: number | undefined): void;
}

interface WireParts {
  process: BusyProcess;
  server: BusyServer;
  listener: WireListener;
}

/** As the real pool of connections has it: a request more waits for its turn there. */
const parallelRequests = 64;

/** One process's ways to the API server. */
export interface BusyWire {
  carry: NonNullable<ConnectOptions['carry']>;
  /** Nothing arrives any more, and watches are closed. */
  die(): void;
}

/** The way to a server that takes time, under the real transport. */
export function createBusyWire(parts: WireParts): BusyWire {
  const open = new Set<OpenWatch>();
  return {
    carry: transportOver(() => connectionTo(parts, open)),
    die() {
      for (const watch of open) watch.abandon();
    },
  };
}

function connectionTo(parts: WireParts, open: Set<OpenWatch>): Wire {
  const turns = new Turns(parallelRequests);
  const connections = { requests: new Connections(parts), evictions: new Connections(parts) };
  const closing = new AbortController();
  return {
    async send(request, lane) {
      if (closing.signal.aborted) throw new Error('the connection was closed');
      if (lane === 'watches') {
        await connections.requests.open();
        return sendWatch(parts, request, open);
      }
      const send = (): Promise<WireAnswer> =>
        connections[lane].through(request.signal, () => sendOnce(parts, request));
      return unlessAborted(request.signal, lane === 'requests' ? inTurn(request, turns, send) : send());
    },
    async close() {
      closing.abort(new Error('the connection was closed'));
      for (const watch of open) watch.abandon(closing.signal.reason);
    },
  };
}

async function inTurn(
  { signal }: WireRequest,
  turns: Turns,
  send: () => Promise<WireAnswer>,
): Promise<WireAnswer> {
  if (!(await turns.take(signal))) throw signal.reason;
  try {
    return await unlessAborted(signal, send());
  } finally {
    turns.giveBack();
  }
}

async function sendOnce({ process, server, listener }: WireParts, request: WireRequest): Promise<WireAnswer> {
  const { signal } = request;
  const asked = asAsked(request);
  const exchange = exchangeOf(asked, { instance: process.name, host: 'management' });
  listener.sent(exchange);
  const giveUp = (): void => listener.over(exchange, undefined);
  signal.addEventListener('abort', giveUp, { once: true });
  await process.work(constants.instance.send);
  const response = await server.serve(exchange, asked, signal);
  if (!signal.aborted) await process.work(readingOf(response));
  signal.removeEventListener('abort', giveUp);
  if (!signal.aborted) listener.over(exchange, response.status);
  return { statusCode: response.status, headers: response.headers, body: wholeBody(response.body) };
}

const readingOf = ({ body }: ApiResponse): number =>
  constants.instance.receive + (constants.instance.kibibyte * body.length) / 1_024;

async function sendWatch(
  { process, server, listener }: WireParts,
  request: WireRequest,
  open: Set<OpenWatch>,
): Promise<WireAnswer> {
  const { signal } = request;
  const asked = asAsked(request);
  const exchange = exchangeOf(asked, { instance: process.name, host: 'management' });
  listener.sent(exchange);
  await process.work(constants.instance.send);
  const response = await server.serve(exchange, asked, signal);
  listener.over(exchange, response.status);
  const { status: statusCode, headers, body, stream } = response;
  if (stream === undefined) return { statusCode, headers, body: wholeBody(body) };
  const step = (): Promise<void> => {
    server.charge(constants.apiServer.watchLine);
    return process.work(constants.instance.watchLine);
  };
  const watch = openWatch({ exchange, stream, step, over: (ended) => void open.delete(ended) });
  open.add(watch);
  if (signal.aborted) watch.abandon(signal.reason);
  else signal.addEventListener('abort', () => watch.abandon(signal.reason), { once: true });
  watch.begin();
  return { statusCode, headers, body: watch.body };
}

function wholeBody(text: string): WireBody {
  const feed = createFeed(() => undefined);
  feed.push(text);
  feed.end();
  return feed;
}
