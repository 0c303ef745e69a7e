import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Log } from '../log.ts';
import type { Emit, FunctionContext } from './context.ts';
import type { Handler } from './function.ts';
import { NotDelivered } from './failures.ts';
import { type HttpRequest, type HttpResponse, text } from './message.ts';

export interface AppOptions {
  clock: Clock;
  log: Log;
  /** Time a request has, its body included. */
  requestTimeoutSeconds: number;
  bodyLimitBytes?: number;
  /** False, or a rejection, means that no requests are wanted now. */
  ready?: () => Promise<unknown> | boolean;
  /** Where events other than replies go. */
  emit?: Emit;
  newRequestId?: () => string;
}

export type App = (request: HttpRequest) => Promise<HttpResponse>;

const defaultBodyLimitBytes = 4 * 1024 * 1024;

/** All that is answered over HTTP: one path for each function, and the health of the instance. */
export function createApp(handlers: Readonly<Record<string, Handler>>, options: AppOptions): App {
  const functions = new Map(Object.entries(handlers));
  return async (request) => {
    const { path } = request;
    if (path === '/health/liveness') return only('GET', request) ?? text(200, 'alive');
    if (path === '/health/readiness') return only('GET', request) ?? readiness(options);
    const handler = functions.get(path);
    if (handler === undefined) return text(404, `no function at ${path}`);
    return only('POST', request) ?? handler(request, contextOf(request, options));
  };
}

function only(method: string, request: HttpRequest): HttpResponse | undefined {
  if (request.method === method) return undefined;
  return text(405, `${request.path} takes ${method} only`, { allow: method });
}

async function readiness({ ready }: AppOptions): Promise<HttpResponse> {
  try {
    return (await ready?.()) === false ? text(503, 'not ready') : text(200, 'ready');
  } catch (error) {
    return text(503, `not ready: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function contextOf(request: HttpRequest, options: AppOptions): FunctionContext {
  const { clock, requestTimeoutSeconds, bodyLimitBytes = defaultBodyLimitBytes } = options;
  const { emit = nowhere, newRequestId = randomUUID } = options;
  // Brokers pass this header on, so one id can be followed through a chain of functions.
  const requestId = request.headers['x-request-id'] ?? newRequestId();
  const receivedAt = clock.now();
  const deadline = receivedAt + requestTimeoutSeconds * 1_000;
  return {
    requestId,
    log: options.log.child({ function: request.path.slice(1), request: requestId }),
    clock,
    emit,
    bodyLimitBytes,
    receivedAt,
    getRemainingTimeInMillis: () => deadline - clock.now(),
  };
}

function nowhere(): Promise<void> {
  return Promise.reject(new NotDelivered('there is no sink for events other than the reply'));
}
