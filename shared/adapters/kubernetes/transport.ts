import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

import type { Clock } from '../../clock.ts';
import { CouldNotLook } from '../../kubernetes/port.ts';
import type { Address } from './address.ts';
import { connectionsTo } from './connections.ts';
import type { Credentials, CredentialSource } from './credentials.ts';
import { failureText, isLostConnection } from './failures.ts';

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Kubernetes' verb, for counting. */
  verb: string;
  address: Address;
  query?: string;
  body?: unknown;
  contentType?: string;
  /** Overrides the connection's own time box. */
  timeoutMilliseconds?: number;
}

export interface Answer {
  code: number;
  text: string;
  retryAfter: string | undefined;
}

/** For counting requests; `code` 0 means that no answer came. */
export interface RequestReport {
  verb: string;
  resource: string;
  code: number;
  milliseconds: number;
}

/** `unreachable`: no connection; `silent`: connected, but no answer in time. */
export type Contact = 'answered' | 'unauthorized' | 'unreachable' | 'silent';

export interface TransportOptions {
  clock: Clock;
  requestTimeoutMilliseconds: number;
  userAgent: string;
  onRequest?: (report: RequestReport) => void;
  onContact?: (contact: Contact, request: ApiRequest, why: string) => void;
}

/** HTTP to one API server: connections, credentials, time boxes and counting, but no meaning. */
export interface Transport {
  /** Any HTTP answer is a value; throws CouldNotLook when there is none. */
  ask(request: ApiRequest): Promise<Answer>;
  /** The body arrives as text while `signal` is not aborted. Throws CouldNotLook when the server cannot be asked. */
  open(request: ApiRequest, signal: AbortSignal): Promise<{ code: number; body: Readable }>;
  /** `GET nodes/x of https://host`: the start of every message about a request. */
  label(request: ApiRequest): string;
  close(): Promise<void>;
}

export function createTransport(source: CredentialSource, options: TransportOptions): Transport {
  const { clock, requestTimeoutMilliseconds } = options;
  // Half the time box, so that an unreachable host shows as that and not as a server that is slow to answer.
  const connections = connectionsTo(source, requestTimeoutMilliseconds / 2);
  const basePath = source.server.pathname.replace(/\/$/, '');
  const label = (request: ApiRequest): string =>
    `${request.method} ${request.address.label} of ${source.server.origin}${basePath}`;

  const dispatchOptions = (request: ApiRequest, { headers }: Credentials, signal: AbortSignal) => ({
    origin: source.server.origin,
    path: basePath + request.address.path + (request.query ? `?${request.query}` : ''),
    method: request.method,
    headers: {
      ...headers,
      accept: 'application/json',
      'user-agent': options.userAgent,
      ...(request.body !== undefined && { 'content-type': request.contentType ?? 'application/json' }),
    },
    body: request.body === undefined ? null : JSON.stringify(request.body),
    signal,
  });

  const report = (request: ApiRequest, code: number, startedAt: number): void => {
    const { verb, address } = request;
    options.onRequest?.({ verb, resource: address.resource, code, milliseconds: clock.now() - startedAt });
    if (code === 0) return;
    if (code === 401) source.forget();
    options.onContact?.(code === 401 ? 'unauthorized' : 'answered', request, '');
  };

  const failed = (request: ApiRequest, why: string, cause?: unknown): CouldNotLook =>
    new CouldNotLook(`${label(request)}: ${why}`, { cause });

  async function once(request: ApiRequest, signal: AbortSignal): Promise<Answer> {
    const credentials = await source.current();
    signal.throwIfAborted();
    const { requests } = connections.with(credentials.tls);
    const response = await requests.request(dispatchOptions(request, credentials, signal));
    const text = await response.body.text();
    return { code: response.statusCode, text, retryAfter: header(response.headers, 'retry-after') };
  }

  /** A kept-alive connection may have died unnoticed: a read loses nothing by being asked again, once. */
  async function askInTime(request: ApiRequest, signal: AbortSignal): Promise<Answer> {
    try {
      return await once(request, signal);
    } catch (error) {
      if (request.method !== 'GET' || signal.aborted || !isLostConnection(error)) throw error;
      return once(request, signal);
    }
  }

  return {
    label,
    async ask(request) {
      const startedAt = clock.now();
      const box = timeBox(clock, request.timeoutMilliseconds ?? requestTimeoutMilliseconds);
      try {
        const answer = await askInTime(request, box.signal);
        report(request, answer.code, startedAt);
        return answer;
      } catch (error) {
        const why = box.signal.aborted ? `no answer within ${box.seconds} s` : failureText(error);
        report(request, 0, startedAt);
        options.onContact?.(box.signal.aborted ? 'silent' : 'unreachable', request, why);
        throw failed(request, why, error);
      } finally {
        box.cancel();
      }
    },
    async open(request, signal) {
      const startedAt = clock.now();
      try {
        const credentials = await source.current();
        const { watches } = connections.with(credentials.tls);
        const response = await watches.request(dispatchOptions(request, credentials, signal));
        report(request, response.statusCode, startedAt);
        response.body.setEncoding('utf8');
        return { code: response.statusCode, body: response.body };
      } catch (error) {
        report(request, 0, startedAt);
        if (!signal.aborted) options.onContact?.('unreachable', request, failureText(error));
        throw failed(request, failureText(error), error);
      }
    },
    close: () => connections.close(),
  };
}

function timeBox(clock: Clock, milliseconds: number) {
  const controller = new AbortController();
  const cancel = clock.after(milliseconds, () => controller.abort());
  return { signal: controller.signal, seconds: milliseconds / 1000, cancel };
}

function header(headers: Dispatcher.ResponseData['headers'], name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
