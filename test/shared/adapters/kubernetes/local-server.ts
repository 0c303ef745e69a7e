import http from 'node:http';

import {
  type ConnectedKubernetes,
  type ConnectOptions,
  connect,
} from '../../../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../../../shared/adapters/kubernetes/kube-config.ts';
import type { RequestReport } from '../../../../shared/adapters/kubernetes/request.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { systemClock } from '../../../../shared/time/clock.ts';

interface SeenRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: http.IncomingHttpHeaders;
  body: unknown;
}

export type Respond = (request: SeenRequest, response: http.ServerResponse, count: number) => void;

export interface LocalServer extends AsyncDisposable {
  url: string;
  seen: SeenRequest[];
  /** All that were ever opened. */
  sockets: () => number;
  openSockets: () => number;
}

/** A server that answers as the test says, badly for the most part. */
export async function startServer(respond: Respond): Promise<LocalServer> {
  const seen: SeenRequest[] = [];
  let sockets = 0;
  let openSockets = 0;
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://local');
      const body = Buffer.concat(chunks).toString();
      seen.push({
        method: request.method ?? '',
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        body: body === '' ? undefined : JSON.parse(body),
      });
      respond(seen.at(-1)!, response, seen.length);
    });
  });
  server.on('connection', (socket) => {
    sockets += 1;
    openSockets += 1;
    socket.on('close', () => {
      openSockets -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    sockets: () => sockets,
    openSockets: () => openSockets,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface Talk extends AsyncDisposable, LocalServer {
  kubernetes: ConnectedKubernetes;
  reports: RequestReport[];
}

/** A connection to such a server. */
export async function talkTo(respond: Respond, options: Partial<ConnectOptions> = {}): Promise<Talk> {
  return talkToServer(await startServer(respond), options);
}

export function talkToServer(server: LocalServer, options: Partial<ConnectOptions> = {}): Talk {
  const reports: RequestReport[] = [];
  const kubernetes = connect(loadKubeConfig({ text: kubeConfigText(server.url) }), {
    clock: systemClock,
    onRequest: (report) => reports.push(report),
    ...options,
  });
  return {
    ...server,
    kubernetes,
    reports,
    [Symbol.asyncDispose]: async () => {
      const closed = kubernetes.close();
      await server[Symbol.asyncDispose]();
      await closed;
    },
  };
}

export function kubeConfigText(
  server: string,
  user: object = { token: 't0ken' },
  cluster: object = {},
): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'x',
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server, ...cluster } }],
    users: [{ name: 'u', user }],
  });
}

export function json(
  response: http.ServerResponse,
  code: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export function text(response: http.ServerResponse, code: number, body: string): void {
  response.writeHead(code, { 'content-type': 'text/plain' });
  response.end(body);
}

export function failure(code: number, reason: string, message: string, details: object = {}): object {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    details,
    code,
  };
}

export const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' };

export function configMap(name: string, more: object = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', ...more } };
}
