import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Kubernetes } from '../../../shared/kubernetes/port.ts';
import type { MachineApi } from '../../host/served-machine-apis.ts';
import { type Fleet, labelOf, targetOf } from '../fleet.ts';

/** A Machine that nobody deletes, and the phase its status shows; not every Machine API has one. */
export interface Other {
  machine: string;
  phase?: string;
}

type Watched = Pick<Kubernetes, 'list' | 'watch'>;

/** The Machines there are besides those on their way out, kept up to date by watches. */
export class Others {
  readonly #fleet: Pick<Fleet, 'machineApis'> & { kubernetes: Watched };
  readonly #lists: ListOfOne[];

  constructor(fleet: Pick<Fleet, 'machineApis'> & { kubernetes: Watched }) {
    this.#fleet = fleet;
    this.#lists = fleet.machineApis.map((api) => new ListOfOne(fleet.kubernetes, api));
  }

  async begin(): Promise<void> {
    await Promise.all(this.#lists.map((list) => list.begin()));
  }

  list(): Other[] {
    return this.#lists.flatMap(({ api, machines }) =>
      machines
        .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
        .map((machine) => ({
          machine: labelOf(this.#fleet, targetOf(api, machine)),
          ...phaseOf(machine, api),
        })),
    );
  }

  close(): void {
    for (const list of this.#lists) list.close();
  }
}

/** The Machines of one API. */
class ListOfOne {
  readonly api: MachineApi;
  readonly #kubernetes: Watched;
  #machines = new Map<string, KubeObject>();
  #stop: (() => void) | undefined;
  #isClosed = false;

  constructor(kubernetes: Watched, api: MachineApi) {
    this.#kubernetes = kubernetes;
    this.api = api;
  }

  get machines(): KubeObject[] {
    return [...this.#machines.values()];
  }

  async begin(): Promise<void> {
    const { items, resourceVersion } = await this.#kubernetes.list(this.api.resource);
    this.#machines = new Map(items.map((machine) => [nameOf(machine), machine]));
    if (this.#isClosed) return;
    this.#stop = this.#kubernetes.watch(this.api.resource, {}, resourceVersion, {
      changed: (type, machine) => {
        if (type === 'DELETED') this.#machines.delete(nameOf(machine));
        else this.#machines.set(nameOf(machine), machine);
      },
      // What is shown is news for people: if it cannot be read again it stays as it was.
      ended: () => void this.begin().catch(() => undefined),
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#stop?.();
  }
}

const nameOf = ({ metadata: { namespace = '', name } }: KubeObject): string => `${namespace}/${name}`;

function phaseOf({ status }: KubeObject, { dialect }: MachineApi): { phase?: string } {
  const known = typeof status === 'object' && status !== null && 'phase' in status ? status.phase : undefined;
  if (typeof known === 'string') return { phase: known };
  return dialect.showsProgress ? { phase: 'Unknown' } : {};
}

/** `others: fleet/worker-2 Running, fleet/worker-3 Running`; nothing where there are none. */
export const othersLine = (others: readonly Other[]): string[] =>
  others.length === 0
    ? []
    : [`others: ${others.map(({ machine, phase }) => [machine, phase].join(' ').trimEnd()).join(', ')}`];
