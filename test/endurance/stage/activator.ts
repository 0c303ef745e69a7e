import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { TestContext } from 'vitest';
import { listenLocally } from '../../../infra/local/kubernetes/server/listen.ts';

/** Stands where a Knative Service is reached, and passes requests on to the instance there is at the moment. */
export interface Activator {
  url: string;
  /** Base URL of the instance; undefined while there is none, and requests are answered with 503. */
  instance: string | undefined;
  /** Where there are several: the one that the next request goes to. */
  next?: () => string | undefined;
}

export async function anActivator({ onTestFinished }: TestContext): Promise<Activator> {
  const server = createServer((incoming, outgoing) =>
    pass(activator.next ? activator.next() : activator.instance, incoming, outgoing),
  );
  const activator: Activator = { url: await listenLocally(server), instance: undefined };
  onTestFinished(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  return activator;
}

function pass(instance: string | undefined, incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (instance === undefined) return refuse(outgoing);
  const { method, headers, url = '' } = incoming;
  const forwarded = request(instance + url, { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
    answer.pipe(outgoing);
  });
  forwarded.on('error', () => refuse(outgoing));
  incoming.pipe(forwarded);
}

function refuse(outgoing: ServerResponse): void {
  if (outgoing.headersSent) outgoing.destroy();
  else outgoing.writeHead(503).end();
}
