import type { Dispatcher } from 'undici';

import type { Clock, Instant } from '../../clock.ts';
import { CouldNotLook } from '../../kubernetes/port.ts';
import { connectionsTo } from './connections.ts';
import type { Credentials, CredentialSource } from './credentials.ts';
import { failureText, isLostConnection } from './failures.ts';
import type { Answer, ApiRequest, Contact, RequestReport, Transport } from './request.ts';

export interface TransportOptions {
  clock: Clock;
  requestTimeoutMilliseconds: number;
  userAgent: string;
  onRequest?: (report: RequestReport) => void;
  onContact?: (contact: Contact, request: ApiRequest, why: string) => void;
}

export function createTransport(source: CredentialSource, options: TransportOptions): Transport {
  const { clock, requestTimeoutMilliseconds, userAgent } = options;
  // Half the time box, so that an unreachable host shows as that and not as a server that is slow to answer.
  const connections = connectionsTo(source, requestTimeoutMilliseconds / 2);
  const { origin } = source.server;
  const basePath = source.server.pathname.replace(/\/$/, '');
  const label = (request: ApiRequest): string =>
    `${request.method} ${request.address.label} of ${origin}${basePath}`;
  const report = reporter(options, () => source.forget());

  async function send(request: ApiRequest, pool: 'requests' | 'watches', signal: AbortSignal) {
    const credentials = await source.current();
    signal.throwIfAborted();
    const dispatcher = connections.with(credentials.tls)[pool];
    return dispatcher.request(dispatchOptions(request, credentials, { origin, basePath, userAgent, signal }));
  }

  async function askOnce(request: ApiRequest, signal: AbortSignal): Promise<Answer> {
    const { statusCode, headers, body } = await send(request, 'requests', signal);
    return { code: statusCode, text: await body.text(), retryAfter: firstOf(headers['retry-after']) };
  }

  /** A kept-alive connection may have died unnoticed: a read loses nothing by being asked again, once. */
  async function askInTime(request: ApiRequest, signal: AbortSignal): Promise<Answer> {
    try {
      return await askOnce(request, signal);
    } catch (error) {
      if (request.method !== 'GET' || signal.aborted || !isLostConnection(error)) throw error;
      return askOnce(request, signal);
    }
  }

  return {
    label,
    async ask(request) {
      const startedAt = clock.now();
      const box = timeBox(clock, request.timeoutMilliseconds ?? requestTimeoutMilliseconds);
      try {
        const answer = await askInTime(request, box.signal);
        report.answered(request, answer.code, startedAt);
        return answer;
      } catch (error) {
        const timedOut = box.signal.aborted;
        const why = timedOut ? `no answer within ${box.seconds} s` : failureText(error);
        report.failed(request, { contact: timedOut ? 'silent' : 'unreachable', why }, startedAt);
        throw new CouldNotLook(`${label(request)}: ${why}`, { cause: error });
      } finally {
        box.cancel();
      }
    },
    async open(request, signal) {
      const startedAt = clock.now();
      try {
        const { statusCode, body } = await send(request, 'watches', signal);
        report.answered(request, statusCode, startedAt);
        // Breaking off a stream that is no longer read is an error event nobody else would listen to.
        body.on('error', () => undefined);
        body.setEncoding('utf8');
        return { code: statusCode, body };
      } catch (error) {
        const why = failureText(error);
        if (!signal.aborted) report.failed(request, { contact: 'unreachable', why }, startedAt);
        throw new CouldNotLook(`${label(request)}: ${why}`, { cause: error });
      }
    },
    close: () => connections.close(),
  };
}

interface Sending {
  origin: string;
  basePath: string;
  userAgent: string;
  signal: AbortSignal;
}

function dispatchOptions(request: ApiRequest, { headers }: Credentials, sending: Sending) {
  return {
    origin: sending.origin,
    path: sending.basePath + request.address.path + (request.query ? `?${request.query}` : ''),
    method: request.method,
    headers: {
      ...headers,
      accept: 'application/json',
      'user-agent': sending.userAgent,
      ...(request.body !== undefined && { 'content-type': request.contentType ?? 'application/json' }),
    },
    body: request.body === undefined ? null : JSON.stringify(request.body),
    signal: sending.signal,
  };
}

/** Tells of every request, and of what it shows about the server and our credentials. */
function reporter({ clock, onRequest, onContact }: TransportOptions, forgetCredentials: () => void) {
  const count = ({ verb, address }: ApiRequest, code: number, startedAt: Instant): void =>
    onRequest?.({ verb, resource: address.resource, code, milliseconds: clock.now() - startedAt });
  return {
    answered(request: ApiRequest, code: number, startedAt: Instant): void {
      count(request, code, startedAt);
      if (code === 401) forgetCredentials();
      onContact?.(code === 401 ? 'unauthorized' : 'answered', request, '');
    },
    failed(request: ApiRequest, failure: { contact: Contact; why: string }, startedAt: Instant): void {
      count(request, 0, startedAt);
      onContact?.(failure.contact, request, failure.why);
    },
  };
}

function timeBox(clock: Clock, milliseconds: number) {
  const controller = new AbortController();
  const cancel = clock.after(milliseconds, () => controller.abort());
  return { signal: controller.signal, seconds: milliseconds / 1000, cancel };
}

function firstOf(value: Dispatcher.ResponseData['headers'][string]): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
