import { isRecord } from '../../../shared/kubernetes/objects.ts';
import type { Exchange } from '../../simulation/wire/exchange.ts';
import type { WireListener } from './wire.ts';

/** Counts what is asked of the API server. */
export class Tally implements WireListener {
  /** By verb and resource. */
  readonly requests = new Map<string, number>();
  total = 0;
  /** Asked again after no answer, or one that only put it off. */
  retries = 0;
  conflicts = 0;
  throttled = 0;
  /** Given up by the client, whose time was over. */
  givenUp = 0;
  mostInFlight = 0;
  /** Deliveries that an instance did not take or could not finish, which the Broker repeats. */
  refusedDeliveries = 0;
  evicted = 0;
  evictedTwice = 0;
  isCounting = false;
  readonly #inFlight = new Set<Exchange>();
  readonly #failed = new Set<string>();
  readonly #evictions = new Map<string, number>();

  sent(exchange: Exchange): void {
    if (!this.isCounting) return;
    const { verb, resource } = exchange;
    const kind = `${verb} ${resource}`;
    this.requests.set(kind, (this.requests.get(kind) ?? 0) + 1);
    this.total += 1;
    if (this.#failed.delete(keyOf(exchange))) this.retries += 1;
    if (verb === 'watch') return;
    this.#inFlight.add(exchange);
    this.mostInFlight = Math.max(this.mostInFlight, this.#inFlight.size);
  }

  over(exchange: Exchange, status: number | undefined): void {
    if (!this.isCounting) return;
    if (!this.#inFlight.delete(exchange) && exchange.verb !== 'watch') return;
    if (status === undefined) this.givenUp += 1;
    if (status === 429) this.throttled += 1;
    if (status === 409) this.conflicts += 1;
    if (status === undefined || status === 429 || status >= 500) this.#failed.add(keyOf(exchange));
    if (exchange.resource === 'pods/eviction' && status === 201) this.#accepted(uidIn(exchange.body));
  }

  delivered(status: number): void {
    if (this.isCounting && status >= 300) this.refusedDeliveries += 1;
  }

  #accepted(uid: string): void {
    const times = (this.#evictions.get(uid) ?? 0) + 1;
    this.#evictions.set(uid, times);
    if (times === 1) this.evicted += 1;
    if (times === 2) this.evictedTwice += 1;
  }
}

const keyOf = ({ instance, method, path }: Exchange): string => `${instance} ${method} ${path}`;

function uidIn(body: unknown): string {
  const options = isRecord(body) ? body['deleteOptions'] : undefined;
  const preconditions = isRecord(options) ? options['preconditions'] : undefined;
  return isRecord(preconditions) ? String(preconditions['uid']) : '';
}
