import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { InstanceLog } from '../runtime/log.ts';
import type { Clock } from '../time/clock.ts';
import { type App, type AppOptions, createApp } from './app.ts';
import { BrokenOff, failureResponse } from './failures.ts';
import type { Handler } from './function.ts';
import type { Headers, HttpResponse } from './message.ts';

/** How to serve requests. */
export interface ServeOptions extends AppOptions {
  /** 0 takes any free port. */
  port: number;
  /** All addresses if none is given. */
  host?: string;
  /** Seconds after which a connection is closed whose request's headers have not come; 10 by default. */
  headersSeconds?: number;
}

/** A running server. */
export interface Serving {
  url: string;
  /** Answers the same without HTTP. */
  app: App;
  port: number;
  /** Takes no more connections, lets the requests in flight finish, then resolves. */
  close(): Promise<void>;
}

/** Longer than the 90 s of Go's clients, Knative's among them: who closes first must not be the server. */
const keepAliveMilliseconds = 120_000;
/** An honest sender's headers are a few hundred bytes, sent at once. */
const defaultHeadersSeconds = 10;

/** Serves functions over HTTP, each at its path. Rejects when the port cannot be had. */
export async function serve(
  handlers: Readonly<Record<string, Handler>>,
  options: ServeOptions,
): Promise<Serving> {
  const app = answeringAll(createApp(handlers, options), options.log);
  const server = createServer(limitsOf(options), (request, response) => {
    void respond(app, request)
      .then((answer) => write(server, request, response, answer))
      // One answer that cannot be written must not end the process, and with it all others.
      .catch((error: unknown) => {
        options.log.error('unexpected error', { error });
        response.destroy();
      });
  });
  const unused = unusedConnections(server);
  const port = await listen(server, options);
  const { host = '127.0.0.1' } = options;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    app,
    port,
    close: () => (closed ??= close(server, unused, options.clock)),
  };
}

function limitsOf({ requestTimeoutSeconds, headersSeconds = defaultHeadersSeconds }: ServeOptions) {
  const headersTimeout = headersSeconds * 1_000;
  return {
    keepAliveTimeout: keepAliveMilliseconds,
    headersTimeout,
    // For senders whose body is not waited for any more: the request's own time is over before.
    requestTimeout: headersTimeout + requestTimeoutSeconds * 1_000,
    connectionsCheckingInterval: Math.min(headersTimeout, 1_000),
  };
}

async function listen(server: Server, { port, host }: ServeOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/**
 * Connections that wait for no answer. Node would wait for a connection that has sent nothing yet, or whose next
 * request is on its way. It does not call them idle.
 */
function unusedConnections(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    unused.delete(socket);
    response.once('close', () => socket.destroyed || unused.add(socket));
  });
  return unused;
}

function close(server: Server, unused: ReadonlySet<Socket>, clock: Pick<Clock, 'after'>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeIdleConnections();
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    // A request whose headers are on their way is waited for no longer than at other times.
    const stop = clock.after(server.headersTimeout, () => {
      for (const socket of unused) socket.destroy();
    });
    server.once('close', stop);
  });
}

/** Answers also where a function throws what it should not. */
const answeringAll =
  (app: App, log: InstanceLog): App =>
  async (request) => {
    try {
      return await app(request);
    } catch (error) {
      log.error('unexpected error', { error });
      return failureResponse(error);
    }
  };

function respond(app: App, message: IncomingMessage): Promise<HttpResponse> {
  const [path = '', ...query] = (message.url ?? '').split('?');
  return app({
    method: message.method ?? '',
    path,
    query: query.join('?'),
    headers: flat(message.headers),
    readBody: (limitBytes) => readBody(message, limitBytes),
  });
}

function flat(headers: IncomingHttpHeaders): Headers {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ]);
  return Object.fromEntries(entries);
}

function write(
  server: Server,
  request: IncomingMessage,
  response: ServerResponse,
  answer: HttpResponse,
): void {
  if (response.destroyed) return;
  // What is left of a body would be taken for the next request, and a server that closes takes none.
  if (!request.complete || !server.listening) response.shouldKeepAlive = false;
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  response.end(answer.body);
}

/**
 * The body, or how many bytes it has when they are more than the limit. What is beyond the limit is read and dropped. A
 * sender that still writes would see a broken connection, not the answer. Throws BrokenOff.
 */
async function readBody(message: IncomingMessage, limitBytes: number): Promise<Uint8Array | number> {
  let chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limitBytes) chunks = [];
      else chunks.push(chunk);
    }
  } catch (error) {
    throw new BrokenOff({ cause: error });
  }
  return length > limitBytes ? length : Buffer.concat(chunks);
}
