import { DecoratorHandler, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { unlessAborted } from '../../async/timeout.ts';
import type { CredentialSource, TlsMaterial } from './credentials.ts';
import type { Lane, OpenWire, WireAnswer, WireRequest } from './wire.ts';

/** Kept-alive connections to one API server: a bounded pool for requests, and as many as needed for all else. */
type Connections = Record<Lane, Dispatcher>;

/** More requests than this wait their turn here, instead of opening a TLS connection each. */
const parallelRequests = 64;
/** Below the 60 s after which common load balancers drop idle connections without a word. */
const idleMilliseconds = 45_000;
const keepAliveProbeMilliseconds = 30_000;

/**
 * Sends over connections with the TLS material in force. When a certificate was renewed, new connections replace
 * the old ones, which finish what they are doing.
 */
export const openConnections: OpenWire = (source, connectMilliseconds) => {
  let open: (Connections & { identity: string }) | undefined;
  let closed = false;

  const openWith = (tls: TlsMaterial): Connections => ({
    requests: dispatcher(source, tls, { connectMilliseconds, connections: parallelRequests }),
    evictions: dispatcher(source, tls, { connectMilliseconds, connections: null }),
    watches: dispatcher(source, tls, { connectMilliseconds, connections: null }),
  });
  const connectionsWith = (tls: TlsMaterial): Connections => {
    if (closed) throw new Error('the connection was closed');
    const identity = identityOf(tls);
    if (open?.identity === identity) return open;
    if (open !== undefined) void letFinish(open);
    open = { ...openWith(tls), identity };
    return open;
  };

  return {
    async send(request, lane, tls) {
      const dispatch = connectionsWith(tls)[lane].compose(unlessOver(request.isOver));
      const sent = lane === 'watches' ? openStream(dispatch, request) : dispatch.request(request);
      // A request without a connection does not see the signal, and behind a proxy a connection may take minutes.
      return unlessAborted<WireAnswer>(request.signal, sent);
    },
    async close() {
      closed = true;
      if (open === undefined) return;
      const last = open;
      open = undefined;
      await Promise.all([last.requests.close(), last.evictions.close(), last.watches.destroy()]);
    },
  };
};

/** A process that froze until there was a connection learns that before its timers abort anything. */
const unlessOver =
  (isOver: () => boolean): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) =>
    dispatch(options, new InTime(handler, isOver));

class InTime extends DecoratorHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #isOver: () => boolean;

  constructor(handler: Dispatcher.DispatchHandler, isOver: () => boolean) {
    super(handler);
    this.#handler = handler;
    this.#isOver = isOver;
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    if (this.#isOver()) controller.abort(new Error('the time is over'));
    else this.#handler.onRequestStart?.(controller, context);
  }
}

async function openStream(dispatch: Dispatcher, request: WireRequest): Promise<WireAnswer> {
  const answer = await dispatch.request(request);
  // Breaking off a stream that is no longer read emits an error event that has no other listener.
  answer.body.on('error', () => undefined);
  answer.body.setEncoding('utf8');
  return answer;
}

interface Limits {
  connectMilliseconds: number;
  connections: number | null;
}

function dispatcher(source: CredentialSource, tls: TlsMaterial, limits: Limits): Dispatcher {
  const shared = {
    // HTTP/2 costs sequential requests twice the CPU here.
    allowH2: false,
    connections: limits.connections,
    keepAliveTimeout: idleMilliseconds,
    // Requests and watches are time-boxed as a whole, by the clock that was passed in.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const connect = {
    timeout: limits.connectMilliseconds,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveProbeMilliseconds,
  };
  const options = source.server.protocol === 'https:' ? { ...connect, ...tls } : connect;
  if (source.proxyUrl === undefined) return new Pool(source.server.origin, { ...shared, connect: options });
  if (!/^https?:/.test(source.proxyUrl))
    throw new Error('kubeconfig: only http and https proxies are supported');
  return new ProxyAgent({
    ...shared,
    uri: source.proxyUrl,
    requestTls: { ...tls, timeout: limits.connectMilliseconds },
    proxyTls: { timeout: limits.connectMilliseconds },
    // A proxy that takes connections and leads nowhere would keep each for five minutes, and so all places.
    clientFactory: (origin, opts) =>
      new Pool(origin, { ...opts, headersTimeout: limits.connectMilliseconds }),
  });
}

function identityOf(tls: TlsMaterial): string {
  const { ca, cert, key, servername = '', rejectUnauthorized = true } = tls;
  return (
    [ca, cert, key].map((part) => part?.toString('base64') ?? '').join('|') + servername + rejectUnauthorized
  );
}

async function letFinish({ requests, evictions, watches }: Connections): Promise<void> {
  await Promise.all([requests, evictions, watches].map((lane) => lane.close()));
}
