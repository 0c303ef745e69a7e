import type { ApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import { invented, refusals } from '../wire/invented.ts';
import type { SimulatedCluster } from './clusters.ts';

type Server = Pick<ApiServer, 'respond'>;

/** The answer at an abandoned address: no server listens there, or it does not know the credentials. */
export type Left = 'refused' | 'unauthorized';

const stranger: Server = { respond: () => invented(refusals.unauthorized) };

/** Where API servers are reached: by their own names at first, and at another address after each move. */
export class Addresses {
  readonly #clusters: ReadonlyMap<string, SimulatedCluster>;
  /** All there ever were, each with the host that it led to. */
  readonly #hosts = new Map<string, string>();
  readonly #current = new Map<string, string>();
  readonly #left = new Map<string, Left>();

  constructor(clusters: ReadonlyMap<string, SimulatedCluster>) {
    this.#clusters = clusters;
  }

  /** Where the server is reached now. */
  of(host: string): string {
    return this.#current.get(host) ?? host;
  }

  /** Whose address it is, or was. */
  hostAt(address: string): string {
    return this.#hosts.get(address) ?? address;
  }

  /** Undefined without a listener. */
  serverAt(address: string): Server | undefined {
    const left = this.#left.get(address);
    if (left !== undefined) return left === 'refused' ? undefined : stranger;
    return this.#clusters.get(this.hostAt(address))?.server;
  }

  /** For good: nothing ever leads back to the address that is left. */
  move(host: string, left: Left): void {
    const address = `${host}-${this.#hosts.size + 2}`;
    this.#left.set(this.of(host), left);
    this.#hosts.set(address, host);
    this.#current.set(host, address);
  }
}
