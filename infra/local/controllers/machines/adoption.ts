import { keyOf } from '../machinery/keys.ts';
import { matches } from '../machinery/label-selector.ts';
import { controllerOf, isTerminating } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { ownedBy } from '../workloads/replicas.ts';
import type { MachineApi } from './apis.ts';
import type { Machine, MachineSet } from './machine-objects.ts';

const byNamespaceOfOrphan = (machine: Machine): readonly string[] =>
  controllerOf(machine) === undefined ? [machine.metadata.namespace ?? ''] : [];

/** A set whose selector is empty selects nothing. */
function selects({ metadata, spec }: MachineSet, machine: Machine): boolean {
  const { matchLabels = {}, matchExpressions = [] } = spec?.selector ?? {};
  const isEmpty = Object.keys(matchLabels).length + matchExpressions.length === 0;
  if (isEmpty || metadata.namespace !== machine.metadata.namespace || isTerminating(machine)) return false;
  return matches(spec?.selector, machine.metadata.labels);
}

/** Keys of the sets that may take the Machine as theirs; none where it has a controller. */
export function adopters(world: World, api: MachineApi, machine: Machine): string[] {
  if (controllerOf(machine) !== undefined) return [];
  const sets = [...world.informer<MachineSet>(api.sets).all()];
  return sets.filter((set) => selects(set, machine)).map(keyOf);
}

/**
 * Makes the set the controller of all Machines that it selects and that have none: who writes manifests by hand knows
 * no UIDs.
 */
export function adopt(world: World, api: MachineApi, set: MachineSet): void {
  const orphans = world
    .informer<Machine>(api.machines)
    .in(byNamespaceOfOrphan, set.metadata.namespace ?? '')
    .filter((machine) => selects(set, machine));
  for (const machine of orphans) {
    const ownerReferences = [...(machine.metadata.ownerReferences ?? []), ownedBy(set)];
    world.patch(api.machines, machine, { metadata: { ownerReferences } });
  }
}
