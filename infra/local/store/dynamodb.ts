import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type Clock, systemClock } from '../../../shared/time/clock.ts';
import { answer } from '../dynamodb/operations.ts';
import { malformed, Refusal, unknownOperation } from '../dynamodb/refusal.ts';
import { Tables } from '../dynamodb/tables.ts';
import { serveLocally } from '../kubernetes/server/listen.ts';

export interface LocalDynamoDb {
  endpoint: string;
  /** For who is in this process and needs no HTTP. */
  tables: Tables;
  close(): Promise<void>;
}

export interface LocalDynamoDbOptions {
  /** Says what has expired. The computer's by default. */
  clock?: Clock;
  /** How long a new table is not active. None by default. */
  createTableMilliseconds?: number;
}

/**
 * An embedded DynamoDB on 127.0.0.1, in memory. It knows what the store needs, refuses all else, and drops what has
 * expired. Clients need static credentials, any at all, or they go looking for some elsewhere.
 */
export async function startDynamoDb(options: LocalDynamoDbOptions = {}): Promise<LocalDynamoDb> {
  const { clock = systemClock, createTableMilliseconds = 0 } = options;
  const tables = new Tables({ clock, createMilliseconds: createTableMilliseconds });
  // No idle connection is closed by this end: a call that its client is just sending would be lost.
  const server = createServer({ keepAliveTimeout: 0 }, listenerOn(tables));
  const listening = await serveLocally(server);
  return { endpoint: listening.url, tables, close: () => listening.close() };
}

const largestBytes = 16 * 1024 * 1024;
const target = /^DynamoDB_20120810\.(\w+)$/;
const contentType = 'application/x-amz-json-1.0';

/** Answers in the turn in which a request has come in whole. So two requests never see each other's middle. */
const listenerOn =
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
