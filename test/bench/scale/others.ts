import type { Cluster } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { BusyServer } from './busy-server.ts';
import { constants } from './constants.ts';
import type { Cores, Worker } from './cores.ts';
import { machinesResource } from './fleet.ts';
import { Turns } from './turns.ts';

interface OthersParts {
  cores: Cores;
  server: BusyServer;
  cluster: Pick<Cluster, 'watch'>;
  /** While this is not so, nothing costs anything: the scene is set. */
  isCounting: () => boolean;
}

const watched = [
  ...(['pods', 'nodes', machinesResource] as const),
  'genericinfrastructuremachines.infrastructure.cluster.x-k8s.io',
  'genericbootstrapconfigs.bootstrap.cluster.x-k8s.io',
] as const;

/** Kubelets and controllers. What they write and watch costs CPU, and they wait like others. */
export class Others {
  readonly #parts: OthersParts;
  readonly #worker: Worker;
  readonly #turns = new Turns(constants.others.atOnce);
  readonly #stay = new AbortController().signal;
  readonly #unwatch: (() => void)[];

  constructor(parts: OthersParts) {
    this.#parts = parts;
    const { cores, cluster, server } = parts;
    this.#worker = cores.worker('controllers');
    this.#unwatch = watched.map((resource) =>
      cluster.watch(resource, () => {
        if (!parts.isCounting()) return;
        void cores.run(this.#worker, constants.others.sees);
        if (!server.isAsked) server.charge(constants.apiServer.othersWrite);
      }),
    );
  }

  /** Before they look at what has changed, and before they write. */
  async turn(): Promise<void> {
    const { cores, server, isCounting } = this.#parts;
    if (!isCounting()) return;
    await this.#turns.take(this.#stay);
    await cores.run(server.worker, constants.others.waits);
    await cores.run(this.#worker, constants.others.looks);
    this.#turns.giveBack();
  }

  end(): void {
    for (const unwatch of this.#unwatch) unwatch();
  }
}
