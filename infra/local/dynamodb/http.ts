import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { answer } from './operations.ts';
import { malformed, Refusal, unknownOperation } from './refusal.ts';
import type { Tables } from './tables.ts';

const largestBytes = 16 * 1024 * 1024;
const target = /^DynamoDB_20120810\.(\w+)$/;
const contentType = 'application/x-amz-json-1.0';

/** Answers in the same turn in which a request has come in whole, so that two never see each other's middle. */
export const listenerOn =
  (tables: Tables): RequestListener =>
  (request, response) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    // A sender that breaks off gets no answer.
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= largestBytes) chunks.push(chunk);
    });
    request.on('end', () => {
      if (bytes > largestBytes) response.writeHead(413).end();
      else respond(tables, request, { response, body: Buffer.concat(chunks).toString() });
    });
  };

interface Exchange {
  response: ServerResponse;
  body: string;
}

function respond(tables: Tables, request: IncomingMessage, { response, body }: Exchange): void {
  try {
    send(response, 200, answer(tables, operationOf(request), json(body)));
  } catch (error) {
    if (error instanceof Refusal)
      send(response, 400, { __type: error.type, message: error.message, ...error.fields });
    else send(response, 500, { __type: 'InternalServerError', message: String(error) });
  }
}

/** A page in a browser cannot send this header here: nothing is said that would allow it. */
function operationOf(request: IncomingMessage): string {
  const [, operation] = target.exec(String(request.headers['x-amz-target'])) ?? [];
  if (request.method === 'POST' && operation !== undefined) return operation;
  throw unknownOperation('The header X-Amz-Target of a POST names no operation of DynamoDB_20120810');
}

function json(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw malformed('The body is not JSON');
  }
}

function send(response: ServerResponse, status: number, answered: object): void {
  const body = JSON.stringify(answered);
  response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
