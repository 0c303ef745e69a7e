import { compact } from '../../local/kubernetes/server/json.ts';
import type { SeenMachine, SeenMachines } from '../../local/platform/seen-machines.ts';
import { type Fleet, labelOf } from '../fleet.ts';

/** A living Machine, with the phase and the Node of its status. A new one has neither. */
export interface Other {
  machine: string;
  phase?: string;
  node?: string;
}

type SeenFleet = Pick<Fleet, 'machineApis'> & { machines: SeenMachines };

/** The Machines that are not in deletion. */
export class Others {
  readonly #fleet: SeenFleet;

  /** Calls `changed` for each new Machine, and for each that shows something else than before. */
  constructor(fleet: SeenFleet, changed: (other: Other) => void) {
    this.#fleet = fleet;
    fleet.machines.listen({
      seen: (machine, before) => {
        if (isNews(machine, before)) for (const other of this.#shown(machine)) changed(other);
      },
      gone: () => undefined,
    });
  }

  list(): Other[] {
    return this.#fleet.machines.list().flatMap((machine) => this.#shown(machine));
  }

  #shown({ resource, namespace, name, uid, isDeleting, phase, node }: SeenMachine): Other[] {
    const api = this.#fleet.machineApis.find((one) => one.resource.group === resource.group);
    if (isDeleting || api === undefined) return [];
    return [
      {
        machine: labelOf(this.#fleet, { api, namespace, name, uid }),
        ...compact({ phase, node }),
      },
    ];
  }
}

const isNews = (machine: SeenMachine, before: SeenMachine | undefined): boolean =>
  before === undefined || before.phase !== machine.phase || before.node !== machine.node;

/** `others: fleet/worker-2 Running, fleet/worker-3 Running`; nothing where there are none. */
export const othersLine = (others: readonly Other[]): string[] =>
  others.length === 0
    ? []
    : [`others: ${others.map(({ machine, phase = '' }) => `${machine} ${phase}`.trimEnd()).join(', ')}`];
