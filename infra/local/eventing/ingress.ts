import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Listening, serveLocally } from '../kubernetes/server/listen.ts';
import type { Broker } from './broker.ts';
import { flatten, fromHttp, passedHeaders } from './http-binding.ts';

export interface IngressOptions {
  namespace?: string;
  name?: string;
  port?: number;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** Serves a Broker over HTTP on 127.0.0.1. Events are posted to its URL, which `K_SINK` would hold: `/<namespace>/<name>`. */
export async function serveIngress(broker: Broker, options: IngressOptions = {}): Promise<Listening> {
  const path = `/${options.namespace ?? 'default'}/${options.name ?? 'default'}`;
  const server = createServer((request, response) => {
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort(new Error('the publisher went away'));
    });
    void respond(broker, path, request, gone.signal).then(
      (answer) => send(response, answer),
      // The client broke off while sending the request: there is nowhere to send an answer.
      () => response.destroy(),
    );
  });
  // A whole request must be in within 10 s, as at the real ingress.
  server.requestTimeout = 10_000;
  const listening = await serveLocally(server, options.port);
  return { url: `${listening.url}${path}`, close: () => listening.close() };
}

async function respond(
  broker: Broker,
  path: string,
  request: IncomingMessage,
  gone: AbortSignal,
): Promise<Answer> {
  if (request.method === 'OPTIONS') {
    return { status: 200, headers: { 'WebHook-Allowed-Origin': '*', 'WebHook-Allowed-Rate': '*' } };
  }
  if (request.method !== 'POST') return { status: 405, headers: { Allow: 'POST, OPTIONS' } };
  if (new URL(request.url ?? '/', 'http://ingress').pathname !== path) return { status: 404 };

  const body = Buffer.concat(await request.toArray());
  const headers = flatten(request.headersDistinct);
  const reading = fromHttp(headers, body);
  if (reading.kind === 'other') return { status: 400, body: 'not a CloudEvent' };
  if (reading.kind === 'broken') return { status: 400, body: reading.problem };

  const { status, problem } = await broker.publish(reading.event, passedHeaders(headers), gone);
  return problem === undefined ? { status } : { status, body: problem };
}

function send(response: ServerResponse, { status, headers = {}, body }: Answer): void {
  response.writeHead(status, headers).end(body);
}
