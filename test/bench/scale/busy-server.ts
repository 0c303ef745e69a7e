import type { ApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import type { ApiRequest, ApiResponse } from '../../../infra/local/kubernetes/server/request.ts';
import { parseJson } from '../../../shared/adapters/kubernetes/read-response.ts';
import { type Clock, pause } from '../../../shared/time/clock.ts';
import type { Exchange } from '../../simulation/wire/exchange.ts';
import { invented, refusals } from '../../simulation/wire/invented.ts';
import { constants } from './constants.ts';
import type { Cores, Worker } from './cores.ts';
import { Turns } from './turns.ts';

interface BusyServerParts {
  server: ApiServer;
  clock: Clock;
  cores: Cores;
  /** Etcd makes lists slow. */
  slowLists: boolean;
}

const costs = constants.apiServer;
/** An API server that takes time: CPU by verb and by what is listed, and priority and fairness before it. */
export class BusyServer {
  readonly worker: Worker;
  /** Turned away by priority and fairness. */
  throttled = 0;
  readonly #parts: BusyServerParts;
  readonly #seats = new Turns(costs.seats);
  #isAsked = false;

  constructor(parts: BusyServerParts) {
    this.#parts = parts;
    this.worker = parts.cores.worker('API server', constants.cores);
  }

  /** Work that no answer waits for. */
  charge(milliseconds: number): void {
    void this.#parts.cores.run(this.worker, milliseconds);
  }

  /** A new connection comes. */
  handshake(): Promise<void> {
    return this.#parts.cores.run(this.worker, costs.handshake);
  }

  /** Whether what changes now is changed by who asks here, and not by a controller. */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  /** `gone`: once it is aborted, the answer is not awaited any more. */
  async serve(exchange: Exchange, asked: ApiRequest, gone: AbortSignal): Promise<ApiResponse> {
    if (exchange.verb === 'watch') return this.#work(exchange, asked);
    if (this.#seats.waiting >= costs.queued || !(await this.#seat(gone))) return this.#turnAway();
    try {
      return await this.#work(exchange, asked);
    } finally {
      this.#seats.giveBack();
    }
  }

  async #seat(gone: AbortSignal): Promise<boolean> {
    const waiting = new AbortController();
    const leave = (): void => waiting.abort();
    gone.addEventListener('abort', leave, { once: true });
    const cancel = this.#parts.clock.after(costs.queueSeconds * 1_000, leave);
    try {
      return await this.#seats.take(gone.aborted ? gone : waiting.signal);
    } finally {
      cancel();
      gone.removeEventListener('abort', leave);
    }
  }

  #turnAway(): ApiResponse {
    this.throttled += 1;
    return invented({ ...refusals.throttled, retryAfter: String(costs.retryAfterSeconds) });
  }

  async #work(exchange: Exchange, asked: ApiRequest): Promise<ApiResponse> {
    const { cores, clock } = this.#parts;
    const kind = kindOf(exchange);
    const stages = costs.stages[kind];
    for (let stage = 0; stage < stages; stage += 1) {
      await cores.run(this.worker, costs.cpu[kind] / stages);
      if (asked.method !== 'GET') await pause(clock, costs.disk);
    }
    const response = this.#respond(asked);
    if (exchange.verb === 'list') await cores.run(this.worker, this.#listing(exchange, response));
    return response;
  }

  #respond(asked: ApiRequest): ApiResponse {
    this.#isAsked = true;
    const response = this.#parts.server.respond(asked);
    // Watches get the change before that.
    queueMicrotask(() => void (this.#isAsked = false));
    return response;
  }

  #listing({ resource, namespace }: Exchange, { body }: ApiResponse): number {
    const { slowLists, server } = this.#parts;
    const answered = costs.listed * objectsIn(body);
    if (!slowLists) return answered;
    const selection = namespace === '' ? {} : { namespace };
    return answered + costs.scanned * server.cluster.list(resource, selection).length;
  }
}

type Kind = keyof typeof costs.cpu;

function kindOf({ verb, resource }: Exchange): Kind {
  if (resource === 'pods/eviction') return 'evict';
  return isKind(verb) ? verb : 'get';
}

const isKind = (verb: string): verb is Kind => Object.hasOwn(costs.cpu, verb);

function objectsIn(body: string): number {
  const list = parseJson(body);
  const items: unknown = typeof list === 'object' && list !== null && 'items' in list ? list.items : [];
  return Array.isArray(items) ? items.length : 0;
}
