import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Kubernetes, Resource } from '../../../shared/kubernetes/port.ts';

/** A Machine that nobody deletes, and the phase its status shows. */
export interface Other {
  machine: string;
  phase: string;
}

/** The Machines there are besides those on their way out, kept up to date by a watch. */
export class Others {
  readonly #kubernetes: Pick<Kubernetes, 'list' | 'watch'>;
  readonly #resource: Resource;
  #machines = new Map<string, KubeObject>();
  #stop: (() => void) | undefined;
  #isClosed = false;

  constructor(kubernetes: Pick<Kubernetes, 'list' | 'watch'>, resource: Resource) {
    this.#kubernetes = kubernetes;
    this.#resource = resource;
  }

  async begin(): Promise<void> {
    const { items, resourceVersion } = await this.#kubernetes.list(this.#resource);
    this.#machines = new Map(items.map((machine) => [nameOf(machine), machine]));
    if (this.#isClosed) return;
    this.#stop = this.#kubernetes.watch(this.#resource, {}, resourceVersion, {
      changed: (type, machine) => {
        if (type === 'DELETED') this.#machines.delete(nameOf(machine));
        else this.#machines.set(nameOf(machine), machine);
      },
      // What is shown is news for people: if it cannot be read again it stays as it was.
      ended: () => void this.begin().catch(() => undefined),
    });
  }

  list(): Other[] {
    return [...this.#machines.values()]
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map((machine) => ({ machine: nameOf(machine), phase: phaseOf(machine) }));
  }

  close(): void {
    this.#isClosed = true;
    this.#stop?.();
  }
}

const nameOf = ({ metadata: { namespace = '', name } }: KubeObject): string => `${namespace}/${name}`;

function phaseOf({ status }: KubeObject): string {
  const known = typeof status === 'object' && status !== null && 'phase' in status ? status.phase : undefined;
  return typeof known === 'string' ? known : 'Unknown';
}

/** `others: fleet/worker-2 Running, fleet/worker-3 Running`; nothing where there are none. */
export const othersLine = (others: readonly Other[]): string[] =>
  others.length === 0
    ? []
    : [`others: ${others.map(({ machine, phase }) => `${machine} ${phase}`).join(', ')}`];
