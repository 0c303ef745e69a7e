import { createServer, type IncomingMessage } from 'node:http';
import { limits } from '../../../shared/actuator/contract.ts';
import { type Listening, serveLocally } from '../kubernetes/server/listen.ts';
import {
  createProviderApp,
  errorAnswer,
  type ProviderAnswer,
  type ProviderApp,
  type ProviderAppOptions,
} from './app.ts';

export interface ProviderOptions extends ProviderAppOptions {
  /** 0, the default, takes any free port. */
  port?: number;
}

/** Serves the HTTP contract in front of a cloud. Rejects when the port cannot be had. */
export function startProvider(options: ProviderOptions): Promise<Listening> {
  const app = createProviderApp(options);
  const server = createServer((request, response) => {
    respond(app, request).then(
      ({ status, headers, body }) => void response.writeHead(status, headers).end(body),
      // The client broke off while sending the request: there is nowhere to send an answer.
      () => void response.destroy(),
    );
  });
  return serveLocally(server, options.port);
}

async function respond(app: ProviderApp, message: IncomingMessage): Promise<ProviderAnswer> {
  const body = await bodyOf(message);
  const { 'content-type': contentType, authorization } = message.headers;
  const path = (message.url ?? '').split('?')[0] ?? '';
  try {
    return await app({ method: message.method ?? '', path, contentType, authorization, body });
  } catch {
    return errorAnswer(500, 'the provider has a defect');
  }
}

/** Reads and drops the bytes beyond the limit: a client that still writes would not see the answer. */
async function bodyOf(message: IncomingMessage): Promise<string | undefined> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limits.requestBytes) chunks = [];
    else chunks.push(chunk);
  }
  return length > limits.requestBytes ? undefined : Buffer.concat(chunks).toString('utf8');
}
