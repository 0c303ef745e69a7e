import { isDeepStrictEqual } from 'node:util';
import { isTerminating, type Node } from '../../../../infra/local/controllers/machinery/objects.ts';
import type { Controller, World } from '../../../../infra/local/controllers/machinery/world.ts';
import { type Machine, openShift } from '../../../../infra/local/controllers/machines/apis.ts';
import { isControlPlane } from '../../../../infra/local/controllers/machines/etcd-quorum.ts';
import { isNodeReady } from '../../../../infra/local/controllers/nodes/nodes.ts';

const everything = 'masters';
const maxSurge = 1;

/**
 * OpenShift's ControlPlaneMachineSet with RollingUpdate, as much as a story needs. It replaces Machines that differ
 * from the wanted spec, or are being deleted. It goes index by index, the lowest first. It deletes the old one once the
 * Node of the new one is Ready. At most one Machine more than wanted exists, so the next index waits until the old one
 * is gone.
 */
export const controlPlaneMachineSet =
  (wanted: object): Controller =>
  (world) => {
    const machines = world.informer<Machine>(openShift.machines);
    const nodes = world.informer<Node>('nodes');
    const queue = world.queue('control-plane-machine-set', () => {
      const masters = [...machines.all()].filter(isControlPlane);
      const indexes = [...new Set(masters.map(indexOf))].toSorted((one, other) => one - other);
      let surge = masters.length - indexes.length;
      for (const index of indexes) {
        const its = masters.filter((machine) => indexOf(machine) === index);
        deleteReplaced(world, its, wanted);
        if (surge >= maxSurge || !lacksReplacement(its, wanted)) continue;
        world.create(openShift.machines, replacementOf(its, index, wanted));
        surge += 1;
      }
    });
    machines.onChange(() => queue.add(everything));
    nodes.onChange(() => queue.add(everything));
  };

const indexOf = ({ metadata }: Machine): number => Number(metadata.name.split('-').at(-1));

const isAsWanted = ({ spec }: Machine, wanted: object): boolean =>
  isDeepStrictEqual(spec?.['providerSpec'], wanted);

/** One that is as wanted and lives, whether it runs yet or not. */
const isReplacement = (machine: Machine, wanted: object): boolean =>
  isAsWanted(machine, wanted) && !isTerminating(machine);

const lacksReplacement = (its: readonly Machine[], wanted: object): boolean =>
  !its.some((machine) => isReplacement(machine, wanted));

function deleteReplaced(world: World, its: readonly Machine[], wanted: object): void {
  const old = its.find((machine) => !isAsWanted(machine, wanted));
  const isReplaced = its.some((machine) => isReplacement(machine, wanted) && isReady(world, machine));
  if (old !== undefined && isReplaced && !isTerminating(old)) world.remove(openShift.machines, old);
}

function isReady(world: World, { status }: Machine): boolean {
  const node = world.informer<Node>('nodes').get(status?.nodeRef?.name ?? '');
  return status?.phase === 'Running' && node !== undefined && isNodeReady(node);
}

/** The real one puts random letters before the index: a story tells names. */
function replacementOf([old]: readonly Machine[], index: number, wanted: object): Machine {
  const { namespace = '', labels = {} } = old?.metadata ?? {};
  return {
    apiVersion: `${openShift.group}/v1beta1`,
    kind: 'Machine',
    metadata: { name: `master-new-${index}`, namespace, labels },
    spec: { metadata: {}, providerSpec: wanted },
  };
}
