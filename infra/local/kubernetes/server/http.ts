import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { failure } from '../objects/status.ts';
import type { ApiServer } from './api-server.ts';
import { type Listening, serveLocally } from './listen.ts';
import { fromProtobuf, protobufType } from './protobuf.ts';
import type { ApiRequest, ApiResponse } from './request.ts';

/** Serves the API over plain HTTP on 127.0.0.1; port 0 (the default) takes a free one. */
export function listen(apiServer: ApiServer, { port = 0 }: { port?: number } = {}): Promise<Listening> {
  const server = createServer((incoming, outgoing) => {
    serve(apiServer, incoming, outgoing).catch((error: unknown) => fail(outgoing, error));
  });
  return serveLocally(server, port);
}

async function serve(
  apiServer: ApiServer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const response = apiServer.respond(await readRequest(incoming));
  outgoing.writeHead(response.status, response.headers);
  if (response.stream) pipe(response.stream, outgoing);
  else outgoing.end(response.body);
}

/** Headers go out at once: a client waits for them before it believes in the watch. */
function pipe(stream: NonNullable<ApiResponse['stream']>, outgoing: ServerResponse): void {
  outgoing.flushHeaders();
  outgoing.on('close', () => stream.close());
  stream.read(
    (line) => void outgoing.write(line),
    () => void outgoing.end(),
  );
}

async function readRequest(incoming: IncomingMessage): Promise<ApiRequest> {
  const url = new URL(incoming.url ?? '/', 'http://127.0.0.1');
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers[name] = String(value);
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers,
    ...(chunks.length > 0 && bodyOf(Buffer.concat(chunks), headers)),
  };
}

/** Some bodies of kubectl come as protobuf; from here on they are JSON like all others. */
function bodyOf(bytes: Buffer, headers: Record<string, string>): Pick<ApiRequest, 'body'> {
  if (headers['content-type'] !== protobufType) return { body: bytes.toString() };
  const object = fromProtobuf(bytes);
  if (!object) return { body: bytes.toString() };
  headers['content-type'] = 'application/json';
  return { body: JSON.stringify(object) };
}

function fail(outgoing: ServerResponse, error: unknown): void {
  if (outgoing.headersSent) return void outgoing.destroy();
  const message = error instanceof Error ? error.message : String(error);
  const { body } = failure(500, 'InternalError', message);
  outgoing.writeHead(500, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify(body));
}
