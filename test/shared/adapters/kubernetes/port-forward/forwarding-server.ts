import { request as ask, createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import { listenLocally } from '../../../../../infra/local/kubernetes/server/listen.ts';
import { acceptWebSocket } from './web-socket.ts';

export interface Forwarding {
  url: string;
  /** The paths that were asked for. */
  asked: string[];
}

interface Behind {
  /** Of the server that the Pod is. */
  pod: string;
  /** Answers all other requests. */
  apiServer?: string;
  /** Instead of a way to the Pod. */
  refusal?: number;
}

/**
 * An API server that forwards every port of every Pod to one server. Like a kubelet, it has data on channel 0 and
 * errors on 1.
 */
export async function startForwarding({ pod, apiServer, refusal }: Behind): Promise<Forwarding> {
  const asked: string[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', apiServer);
    const onward = ask(url, { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.on('upgrade', (request, socket) => {
    asked.push(request.url ?? '');
    sockets.add(socket);
    if (refusal === undefined) forward(request, socket, Number(new URL(pod).port));
    else socket.end(`HTTP/1.1 ${refusal} Forbidden\r\nContent-Length: 0\r\n\r\n`);
  });
  const url = await listenLocally(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { url, asked };
}

function forward(request: IncomingMessage, socket: Duplex, port: number): void {
  const pod = connect(port, '127.0.0.1');
  const end = acceptWebSocket(request, socket, 'v4.channel.k8s.io', {
    message: (message) => void (message[0] === 0 && pod.write(message.subarray(1))),
    closed: () => pod.destroy(),
  });
  const wanted = Number(new URL(request.url ?? '', 'http://api').searchParams.get('ports'));
  // Each channel begins with the number of the port.
  for (const channel of [0, 1]) end.send(Buffer.from([channel, wanted & 0xff, wanted >> 8]));
  pod.on('data', (data: Buffer) => end.send(Buffer.concat([Buffer.from([0]), data])));
  pod.on('close', () => end.close()).on('error', () => end.close());
}
