import { Readable } from 'node:stream';
import type { ApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import type { ApiResponse } from '../../../infra/local/kubernetes/server/request.ts';
import type { CredentialSource } from '../../../shared/adapters/kubernetes/credentials.ts';
import type {
  Answer,
  ApiRequest,
  Contact,
  OpenStream,
  Transport,
} from '../../../shared/adapters/kubernetes/request.ts';
import type { TransportOptions } from '../../../shared/adapters/kubernetes/transport.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';

/** One request on its way to an API server of this process. */
export interface Carried {
  /** Host of the API server. */
  host: string;
  verb: string;
  /** `pods/eviction`, `machines.cluster.x-k8s.io`. */
  resource: string;
  path: string;
  body: unknown;
}

/** What becomes of a request instead of an answer by the server, or in place of it. */
export type Failure =
  | { kind: 'unreachable' }
  /** Connected, but no answer comes. */
  | { kind: 'silent' }
  | { kind: 'answer'; code: number; message: string };

export interface Carriage {
  /** The API server of a host; undefined without a listener. */
  serverAt(host: string): ApiServer | undefined;
  /** Asked before the server is. */
  failure?(request: Carried): Failure | undefined;
  /** How long the request takes, in milliseconds. */
  latency?(request: Carried): number;
  /** Called after the server answered and before the client learns of it; never resolves for a client that died. */
  answered?(request: Carried, answer: Answer): Promise<void> | undefined;
}

/** Carries requests to API servers of this process, under whatever clock the client has. */
export const carrying =
  (carriage: Carriage) =>
  (source: CredentialSource, options: TransportOptions): Transport =>
    new InProcess(carriage, source.server, options);

class InProcess implements Transport {
  readonly #carriage: Carriage;
  readonly #server: URL;
  readonly #options: TransportOptions;
  #isClosed = false;

  constructor(carriage: Carriage, server: URL, options: TransportOptions) {
    this.#carriage = carriage;
    this.#server = server;
    this.#options = options;
  }

  label(request: ApiRequest): string {
    return `${request.method} ${request.address.label} of ${this.#server.origin}`;
  }

  async ask(request: ApiRequest): Promise<Answer> {
    const carried = this.#carried(request);
    await this.#pause(this.#carriage.latency?.(carried) ?? 0);
    const answer = await this.#answer(request, carried);
    await this.#carriage.answered?.(carried, answer);
    this.#tell(request, answer.code === 401 ? 'unauthorized' : 'answered', '', answer.code);
    return answer;
  }

  async open(request: ApiRequest, signal: AbortSignal): Promise<OpenStream> {
    const carried = this.#carried(request);
    await this.#pause(0);
    const failure = this.#carriage.failure?.(carried);
    if (failure !== undefined) return this.#fail(request, failure, 0);
    const response = this.#respond(request);
    await this.#carriage.answered?.(carried, { code: response.status, text: '', retryAfter: undefined });
    if (response.stream === undefined) return { code: response.status, body: Readable.from([response.body]) };
    const body = new Readable({ encoding: 'utf8', read: () => undefined });
    body.on('error', () => undefined);
    response.stream.read(
      (line) => body.push(line),
      () => body.push(null),
    );
    const close = (): void => {
      response.stream?.close();
      body.destroy();
    };
    if (signal.aborted) close();
    else signal.addEventListener('abort', close, { once: true });
    return { code: response.status, body };
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return Promise.resolve();
  }

  async #answer(request: ApiRequest, carried: Carried): Promise<Answer> {
    const failure = this.#carriage.failure?.(carried);
    if (failure?.kind === 'answer') return statusAnswer(failure);
    if (failure !== undefined) return this.#fail(request, failure, request.timeoutMilliseconds);
    const { status, headers, body } = this.#respond(request);
    return { code: status, text: body, retryAfter: headers['retry-after'] };
  }

  #respond(request: ApiRequest): ApiResponse {
    const server = this.#carriage.serverAt(this.#server.hostname);
    if (server === undefined) return this.#unreachable(request, 'connect ECONNREFUSED');
    if (this.#isClosed) return this.#unreachable(request, 'the connection was closed');
    const { method, address, query, body } = request;
    const { accept = 'application/json', contentType = 'application/json' } = request;
    return server.respond({
      method,
      path: address.path,
      headers: { accept, 'content-type': contentType },
      ...(query === undefined ? {} : { query: Object.fromEntries(new URLSearchParams(query)) }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async #fail(request: ApiRequest, failure: Failure, timeout: number | undefined): Promise<never> {
    if (failure.kind !== 'silent') return this.#unreachable(request, 'connect ECONNREFUSED');
    const milliseconds = timeout ?? this.#options.requestTimeoutMilliseconds;
    await this.#pause(milliseconds);
    const why = `no answer within ${milliseconds / 1000} s`;
    this.#tell(request, 'silent', why, 0);
    throw new Unavailable(`${this.label(request)}: ${why}`);
  }

  #unreachable(request: ApiRequest, why: string): never {
    this.#tell(request, 'unreachable', why, 0);
    throw new Unavailable(`${this.label(request)}: ${why}`);
  }

  #tell(request: ApiRequest, contact: Contact, why: string, code: number): void {
    const { onRequest, onContact } = this.#options;
    onRequest?.({ verb: request.verb, resource: request.address.resource, code, milliseconds: 0 });
    onContact?.(contact, request, why);
  }

  #pause(milliseconds: number): Promise<void> {
    if (milliseconds === 0) return Promise.resolve();
    return new Promise((resolve) => this.#options.clock.after(milliseconds, resolve));
  }

  #carried({ verb, address, body }: ApiRequest): Carried {
    return { host: this.#server.hostname, verb, resource: address.resource, path: address.path, body };
  }
}

function statusAnswer({ code, message }: Failure & { kind: 'answer' }): Answer {
  const reasons: Record<number, string> = {
    403: 'Forbidden',
    500: 'InternalError',
    503: 'ServiceUnavailable',
  };
  const reason = reasons[code] ?? '';
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  return { code, text: JSON.stringify(body), retryAfter: undefined };
}

/** A kubeconfig that leads to a host of this process. */
export const kubeconfigOf = (host: string): string =>
  JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: `https://${host}` } }],
    users: [{ name: 'u', user: { token: 't' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
