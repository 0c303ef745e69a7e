import type { LimitState } from '../../async/adaptive-limit.ts';
import { type TimeBox, timeBox, unlessAborted } from '../../async/timeout.ts';
import { Unavailable } from '../../kubernetes/errors.ts';
import type { Clock, Instant, Stopwatch } from '../../time/clock.ts';
import { failureText, isLostConnection } from '../network-errors.ts';
import { openConnections } from './connections.ts';
import type { CredentialSource } from './credentials.ts';
import { LoadLimit, RetryBudget, withRetries } from './load-limit.ts';
import type { Answer, ApiRequest, Contact, OpenStream, RequestReport, Transport } from './request.ts';
import type { Lane, OpenWire, Wire, WireAnswer } from './wire.ts';

/** What each request shows, for metrics and circuit breakers. */
export interface Observers {
  /** Every request that was answered or given up, for counting; code 0 means no answer. */
  onRequest?: (report: RequestReport) => void;
  /** Whether the API server can be reached and knows us, as each request shows it. */
  onContact?: (contact: Contact, request: ApiRequest, why: string) => void;
  /** What time it was for the API server, by each answer but those of watches. */
  onDate?: (date: Instant) => void;
  /** How many requests are under way and wait, as each begins and ends. */
  onLoad?: (standing: LimitState) => void;
}

export interface TransportOptions extends Observers {
  clock: Clock;
  requestTimeoutMilliseconds: number;
  userAgent: string;
}

type CreateTransport = (source: CredentialSource, options: TransportOptions) => Transport;

/** Everything but the wire itself: credentials, time boxes, patience and reports. */
export const transportOver =
  (open: OpenWire): CreateTransport =>
  (source, options) =>
    // Half the time box: so an unreachable host does not show as a slow server.
    new HttpTransport(source, options, open(source, options.requestTimeoutMilliseconds / 2));

/** Over HTTP, with connections that are kept. */
export const createTransport = transportOver(openConnections);

class HttpTransport implements Transport {
  readonly #source: CredentialSource;
  readonly #options: TransportOptions;
  readonly #wire: Wire;
  readonly #report: ReturnType<typeof reporter>;
  readonly #basePath: string;
  readonly #limit: LoadLimit;
  readonly #retries = new RetryBudget();

  constructor(source: CredentialSource, options: TransportOptions, wire: Wire) {
    this.#source = source;
    this.#options = options;
    this.#wire = wire;
    this.#report = reporter(options, () => source.forget());
    this.#limit = new LoadLimit(options.clock, options.onLoad);
    this.#basePath = source.server.pathname.replace(/\/$/, '');
  }

  label(request: ApiRequest): string {
    return `${request.method} ${request.address.label} of ${this.#source.server.origin}${this.#basePath}`;
  }

  ask(request: ApiRequest): Promise<Answer> {
    return this.#limit.run(request, () => this.#askInTime(request));
  }

  async #askInTime(request: ApiRequest): Promise<Answer> {
    const { clock, requestTimeoutMilliseconds } = this.#options;
    const age = clock.stopwatch();
    const { timeoutMilliseconds = requestTimeoutMilliseconds } = request;
    const box = timeBox(clock, timeoutMilliseconds);
    try {
      const ask = (): Promise<Answer> => this.#askAndReport(request, box);
      return await (request.method === 'GET'
        ? withRetries(ask, { clock, signal: box.signal, retries: this.#retries })
        : ask());
    } catch (error) {
      const timedOut = box.isOver();
      const why = timedOut ? `no answer within ${timeoutMilliseconds / 1000} s` : failureText(error);
      this.#report.failed(request, { contact: timedOut ? 'silent' : 'unreachable', why }, age);
      throw new Unavailable(`${this.label(request)}: ${why}`, { cause: error, statusText: why });
    } finally {
      box.cancel();
    }
  }

  async open(request: ApiRequest, signal: AbortSignal): Promise<OpenStream> {
    const age = this.#options.clock.stopwatch();
    try {
      const send = (): Promise<WireAnswer> => this.#send(request, 'watches', untimed(signal));
      const { statusCode, body } = await onceMore(request, signal, send);
      this.#report.answered(request, statusCode, age);
      return { code: statusCode, body };
    } catch (error) {
      const why = failureText(error);
      if (!signal.aborted) this.#report.failed(request, { contact: 'unreachable', why }, age);
      throw new Unavailable(`${this.label(request)}: ${why}`, { cause: error, statusText: why });
    }
  }

  close(): Promise<void> {
    return this.#wire.close();
  }

  async #askAndReport(request: ApiRequest, time: RequestTime): Promise<Answer> {
    const age = this.#options.clock.stopwatch();
    const answer = await onceMore(request, time.signal, () => this.#askOnce(request, time));
    this.#report.answered(request, answer.code, age);
    return answer;
  }

  async #askOnce(request: ApiRequest, time: RequestTime): Promise<Answer> {
    const { statusCode, headers, body } = await this.#send(request, request.lane ?? 'requests', time);
    const date = Date.parse(firstOf(headers['date']) ?? '');
    if (!Number.isNaN(date)) this.#options.onDate?.(date);
    return { code: statusCode, text: await body.text(), retryAfter: firstOf(headers['retry-after']) };
  }

  async #send(request: ApiRequest, lane: Lane, { signal, isOver }: RequestTime): Promise<WireAnswer> {
    // A plugin for credentials may ask a person, who takes longer than the request may.
    const credentials = await unlessAborted(signal, this.#source.current());
    // A process that froze meanwhile learns of the credentials before its timers abort anything.
    if (isOver()) throw new Error('the time is over');
    const { method, address, query, body, accept = 'application/json' } = request;
    const sent = {
      origin: this.#source.server.origin,
      path: this.#basePath + address.path + (query ? `?${query}` : ''),
      method,
      headers: {
        ...credentials.headers,
        accept,
        'user-agent': this.#options.userAgent,
        ...(body !== undefined && { 'content-type': request.contentType ?? 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal,
      isOver,
    };
    return this.#wire.send(sent, lane, credentials.tls);
  }
}

/** A kept-alive connection may have died unnoticed: what only reads loses nothing by being asked again, once. */
async function onceMore<T>(request: ApiRequest, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (request.method !== 'GET' || signal.aborted || !isLostConnection(error)) throw error;
    return ask();
  }
}

type RequestTime = Pick<TimeBox, 'signal' | 'isOver'>;

/** A watch lasts until its listener ends it. */
const untimed = (signal: AbortSignal): RequestTime => ({ signal, isOver: () => signal.aborted });

/** Reports every request, and what it shows about the server and our credentials. */
function reporter({ onRequest, onContact }: TransportOptions, forgetCredentials: () => void) {
  const count = ({ verb, address }: ApiRequest, code: number, age: Stopwatch): void =>
    onRequest?.({ verb, resource: address.resource, code, milliseconds: age() });
  return {
    answered(request: ApiRequest, code: number, age: Stopwatch): void {
      count(request, code, age);
      if (code === 401) forgetCredentials();
      onContact?.(code === 401 ? 'unauthorized' : 'answered', request, '');
    },
    failed(request: ApiRequest, failure: { contact: Contact; why: string }, age: Stopwatch): void {
      count(request, 0, age);
      onContact?.(failure.contact, request, failure.why);
    },
  };
}

function firstOf(value: WireAnswer['headers'][string]): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
