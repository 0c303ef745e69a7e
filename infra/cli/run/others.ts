import * as z from 'zod';
import type { Clock } from '../../../shared/clock.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Kubernetes } from '../../../shared/kubernetes/port.ts';
import type { MachineApi } from '../../host/served-machine-apis.ts';
import { type Fleet, labelOf, targetOf } from '../fleet.ts';

/** A Machine that nobody deletes, with the phase and the Node that its status shows: a new one has neither. */
export interface Other {
  machine: string;
  phase?: string;
  node?: string;
}

type Watched = Pick<Kubernetes, 'list' | 'watch'>;
type WatchedFleet = Pick<Fleet, 'machineApis'> & { kubernetes: Watched };

/** An API that ends each watch at once must not be asked without end. */
const pauseMilliseconds = 1_000;

/** The Machines there are besides those on their way out, kept up to date by watches. */
export class Others {
  readonly #lists: MachinesOfApi[];

  /** `changed` is told of each that is new, and of each that shows something else than before. */
  constructor(fleet: WatchedFleet, clock: Clock, changed: (other: Other) => void) {
    this.#lists = fleet.machineApis.map((api) => new MachinesOfApi(fleet, api, { clock, changed }));
  }

  async begin(): Promise<void> {
    await Promise.all(this.#lists.map((list) => list.begin()));
  }

  list(): Other[] {
    return this.#lists.flatMap((list) => list.others());
  }

  close(): void {
    for (const list of this.#lists) list.close();
  }
}

class MachinesOfApi {
  readonly #fleet: WatchedFleet;
  readonly #api: MachineApi;
  readonly #clock: Clock;
  readonly #changed: (other: Other) => void;
  #machines = new Map<string, Other>();
  #stop: (() => void) | undefined;
  #isClosed = false;

  constructor(
    fleet: WatchedFleet,
    api: MachineApi,
    { clock, changed }: { clock: Clock; changed: (other: Other) => void },
  ) {
    this.#fleet = fleet;
    this.#api = api;
    this.#clock = clock;
    this.#changed = changed;
  }

  others(): Other[] {
    return [...this.#machines.values()];
  }

  async begin(): Promise<void> {
    const { items, resourceVersion } = await this.#fleet.kubernetes.list(this.#api.resource);
    this.#machines = new Map();
    for (const machine of items) this.#note(machine);
    if (this.#isClosed) return;
    this.#stop = this.#fleet.kubernetes.watch(this.#api.resource, {}, resourceVersion, {
      changed: (type, machine) => {
        const isNews = type === 'DELETED' ? this.#forget(machine) : this.#note(machine);
        if (isNews !== undefined) this.#changed(isNews);
      },
      ended: () => this.#beginAgain(),
    });
  }

  /** What is shown is news for people: while it cannot be read it stays as it was. */
  #beginAgain(): void {
    if (this.#isClosed) return;
    this.#stop = this.#clock.after(
      pauseMilliseconds,
      () => void this.begin().catch(() => this.#beginAgain()),
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#stop?.();
  }

  /** The Machine as it is shown, if that is news. */
  #note(machine: KubeObject): Other | undefined {
    if (machine.metadata.deletionTimestamp !== undefined) return this.#forget(machine);
    const other: Other = {
      machine: labelOf(this.#fleet, targetOf(this.#api, machine)),
      ...shown(machine),
    };
    const before = this.#machines.get(other.machine);
    this.#machines.set(other.machine, other);
    const isSame = before !== undefined && before.phase === other.phase && before.node === other.node;
    return isSame ? undefined : other;
  }

  #forget(machine: KubeObject): undefined {
    this.#machines.delete(labelOf(this.#fleet, targetOf(this.#api, machine)));
  }
}

const shownSchema = z.object({
  status: z.object({
    phase: z.string().optional().catch(undefined),
    nodeRef: z.object({ name: z.string() }).optional().catch(undefined),
  }),
});

function shown(machine: KubeObject): Omit<Other, 'machine'> {
  const { phase, nodeRef } = shownSchema.safeParse(machine).data?.status ?? {};
  return {
    ...(phase !== undefined && { phase }),
    ...(nodeRef !== undefined && { node: nodeRef.name }),
  };
}

/** `others: fleet/worker-2 Running, fleet/worker-3 Running`; nothing where there are none. */
export const othersLine = (others: readonly Other[]): string[] =>
  others.length === 0
    ? []
    : [`others: ${others.map(({ machine, phase = '' }) => `${machine} ${phase}`.trimEnd()).join(', ')}`];
