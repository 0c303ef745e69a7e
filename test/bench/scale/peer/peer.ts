import type { ChangeEvent, Cluster, KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { ApiRequest, ApiResponse } from '../../../../infra/local/kubernetes/server/request.ts';
import { type Clock, type Instant, pause } from '../../../../shared/time/clock.ts';
import { management } from '../../../simulation/platform/clusters.ts';
import { exchangeOf } from '../../../simulation/wire/exchange.ts';
import type { BusyServer } from '../busy-server.ts';
import { constants } from '../constants.ts';
import type { Cores, Worker } from '../cores.ts';
import { Tally } from '../tally.ts';
import { EventRecorder } from './events.ts';
import { look } from './look.ts';
import { type Watched, watched } from './resources.ts';

interface PeerParts {
  clock: Clock;
  cores: Cores;
  server: BusyServer;
  cluster: Pick<Cluster, 'watch'>;
  report: (what: string) => void;
}

const costs = constants.peer;

/**
 * Cluster API's own controller of Machines. It looks at a Machine once a second at most. Its cache is filled by watches,
 * and late. What it asks is counted, and costs both sides CPU.
 */
export class Peer {
  readonly tally = new Tally();
  readonly #parts: PeerParts;
  readonly #worker: Worker;
  readonly #events = new EventRecorder((request) => this.#ask(request));
  readonly #cache = new Map<string, KubeObject>();
  /** Machines to look at, those that are looked after, and when the next look may be. */
  readonly #changed = new Set<string>();
  readonly #followed = new Set<string>();
  readonly #nextAt = new Map<string, Instant>();
  #inOrder: Promise<void> = Promise.resolve();
  readonly #unwatch: (() => void)[];
  readonly #stay = new AbortController().signal;

  constructor(parts: PeerParts) {
    this.#parts = parts;
    this.#worker = parts.cores.worker('Cluster API', constants.cores);
    this.#unwatch = kinds.map((what) =>
      parts.cluster.watch(watched[what], (event) => this.#arrive(what, event)),
    );
  }

  end(): void {
    for (const unwatch of this.#unwatch) unwatch();
  }

  /** Changes arrive late, and in order. */
  #arrive(what: Watched, event: ChangeEvent): void {
    const arrival = this.tally.isCounting ? this.#line() : undefined;
    this.#inOrder = this.#inOrder.then(() => arrival).then(() => this.#see(what, event));
  }

  async #line(): Promise<void> {
    const { cores, server } = this.#parts;
    await cores.run(server.worker, constants.apiServer.watchLine);
    await cores.run(this.#worker, costs.sees);
  }

  #see(what: Watched, { type, object }: ChangeEvent): void {
    const { name } = object.metadata;
    if (type === 'DELETED') this.#cache.delete(keyOf(what, name));
    else this.#cache.set(keyOf(what, name), object);
    this.#changed.add(name);
    if (this.#deleted(name) === undefined || this.#followed.has(name)) return;
    this.#followed.add(name);
    void this.#follow(name);
  }

  async #follow(name: string): Promise<void> {
    const { clock } = this.#parts;
    while (this.#changed.has(name)) {
      await pause(clock, Math.max(0, (this.#nextAt.get(name) ?? 0) - clock.now()));
      this.#nextAt.set(name, clock.now() + costs.between);
      this.#changed.delete(name);
      await this.#look(name);
    }
    this.#followed.delete(name);
  }

  async #look(name: string): Promise<void> {
    const machine = this.#deleted(name);
    if (machine === undefined) return;
    await look({
      machine,
      cached: (what) => this.#cache.get(keyOf(what, name)),
      ask: (request) => this.#ask(request),
      tell: (reason) => this.#events.tell(machine, reason),
      rest: () => pause(this.#parts.clock, costs.afterConflict),
      report: this.#parts.report,
    });
  }

  #deleted(name: string): KubeObject | undefined {
    const machine = this.#cache.get(keyOf('machine', name));
    return machine?.metadata.deletionTimestamp === undefined ? undefined : machine;
  }

  async #ask(request: ApiRequest): Promise<ApiResponse> {
    const { cores, server } = this.#parts;
    const exchange = exchangeOf(request, { instance: 'Cluster API', host: management });
    this.tally.sent(exchange);
    await cores.run(this.#worker, costs.request);
    const response = await server.serve(exchange, request, this.#stay);
    this.tally.over(exchange, response.status);
    return response;
  }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are the keys of just that
const kinds = Object.keys(watched) as Watched[];

const keyOf = (what: Watched, name: string): string => `${what} ${name}`;
