import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { App } from '../../../shared/http/app.ts';
import type { HttpRequest, HttpResponse } from '../../../shared/http/message.ts';
import { type Listening, serveLocally } from '../kubernetes/server/listen.ts';
import type { Broker } from './broker.ts';
import { flatten, fromHttp, passedHeaders } from './http-binding.ts';

export interface IngressOptions {
  namespace?: string;
  name?: string;
  port?: number;
  /** Told why a message was refused before the Broker had it. */
  onRefused?: (problem: string) => void;
}

/** The way into a Broker. */
export interface Ingress extends Listening {
  /** Answers the same without HTTP. */
  app: App;
}

/** Serves a Broker over HTTP on 127.0.0.1. Events are posted to its URL, which `K_SINK` would hold: `/<namespace>/<name>`. */
export async function serveIngress(
  broker: Pick<Broker, 'publish'>,
  options: IngressOptions = {},
): Promise<Ingress> {
  const path = `/${options.namespace ?? 'default'}/${options.name ?? 'default'}`;
  const taker: Taker = { broker, path, onRefused: options.onRefused ?? (() => undefined) };
  const server = createServer((request, response) => {
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort(new Error('the publisher went away'));
    });
    void respond(taker, messageOf(request), gone.signal).then(
      (answer) => send(response, answer),
      // The client broke off while sending the request: there is nowhere to send an answer.
      () => response.destroy(),
    );
  });
  // A whole request must be in within 10 s, as at the real ingress.
  server.requestTimeout = 10_000;
  const listening = await serveLocally(server, options.port);
  const app: App = (request) => respond(taker, request);
  return { url: `${listening.url}${path}`, app, close: () => listening.close() };
}

const messageOf = (request: IncomingMessage): HttpRequest => ({
  method: request.method ?? '',
  path: new URL(request.url ?? '/', 'http://ingress').pathname,
  headers: flatten(request.headersDistinct),
  readBody: async () => Buffer.concat(await request.toArray()),
});

interface Taker {
  broker: Pick<Broker, 'publish'>;
  path: string;
  onRefused: (problem: string) => void;
}

async function respond(
  { broker, path, onRefused }: Taker,
  request: HttpRequest,
  gone?: AbortSignal,
): Promise<HttpResponse> {
  if (request.method === 'OPTIONS') {
    return answer(200, '', { 'WebHook-Allowed-Origin': '*', 'WebHook-Allowed-Rate': '*' });
  }
  if (request.method !== 'POST') return answer(405, '', { Allow: 'POST, OPTIONS' });
  if (request.path !== path) {
    onRefused(`no Broker is at ${request.path}`);
    return answer(404);
  }

  const body = await request.readBody(Number.POSITIVE_INFINITY);
  if (typeof body === 'number') return answer(413);
  const headers = flatten(request.headers);
  const reading = fromHttp(headers, body);
  if (reading.kind !== 'event') {
    const problem = reading.kind === 'broken' ? reading.problem : 'not a CloudEvent';
    onRefused(problem);
    return answer(400, problem);
  }
  const { status, problem } = await broker.publish(reading.event, passedHeaders(headers), gone);
  return answer(status, problem);
}

const answer = (status: number, body = '', headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers,
  body,
});

function send(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  response.writeHead(status, headers).end(body);
}
