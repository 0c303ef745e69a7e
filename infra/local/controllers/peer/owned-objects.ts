import { at, textAt } from '../../kubernetes/server/json.ts';
import { isTerminating } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import type { Machine } from '../machines/apis.ts';
import { referenced } from '../machines/kinds.ts';
import type { Step } from './step.ts';

/** What a Machine has made for it, and takes away in the end. */
export interface Owned {
  reference: (machine: Machine) => unknown;
  reason: string;
  /** The condition that says how it is, in the newer and in the older version. */
  ready: string;
  oldReady: string;
}

export const infrastructure: Owned = {
  reference: ({ spec }) => spec?.infrastructureRef,
  reason: 'WaitingForInfrastructureDeletion',
  ready: 'InfrastructureReady',
  oldReady: 'InfrastructureReady',
};

export const bootstrapConfig: Owned = {
  reference: ({ spec }) => at(spec, 'bootstrap', 'configRef'),
  reason: 'WaitingForBootstrapDeletion',
  ready: 'BootstrapConfigReady',
  oldReady: 'BootstrapReady',
};

type State = 'unasked' | 'present' | 'going' | 'gone';

/** What cannot be seen counts as present. */
export function stateOf(world: World, machine: Machine, { reference }: Owned): State {
  if (reference(machine) === undefined) return 'unasked';
  const found = referenced(world, machine.metadata.namespace, reference(machine));
  if (found === undefined) return 'present';
  if (found.object === undefined) return 'gone';
  return isTerminating(found.object) ? 'going' : 'present';
}

/** Deletes it and waits until it is gone. */
export const removed =
  (owned: Owned): Step =>
  ({ world, machine, said }) => {
    const state = stateOf(world, machine, owned);
    if (state === 'unasked') return undefined;
    if (state === 'gone') {
      said.set(owned.oldReady, { status: 'False', reason: 'Deleted', severity: 'Info' });
      return undefined;
    }
    const reference = owned.reference(machine);
    const found = referenced(world, machine.metadata.namespace, reference);
    if (state === 'present' && found?.object) world.remove(found.resource, found.object);
    return { reason: owned.reason, message: `Waiting for ${textAt(reference, 'kind')} to be deleted` };
  };
