import { keyOf, toKey } from '../machinery/keys.ts';
import { controllerOf, isTerminating, type Node, uidOf } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { isNodeReady } from '../nodes/nodes.ts';
import { byController } from '../workloads/pods.ts';
import { patchStatus } from '../workloads/replicas.ts';
import { adopt, adopters } from './adoption.ts';
import { clusterApi, type MachineApi, machineApis } from './apis.ts';
import { makeClusterApiMachine } from './cluster-api-replica.ts';
import { firstToGo } from './delete-priority.ts';
import { isServedAt } from './kinds.ts';
import type { Machine, MachineSet } from './machine-objects.ts';
import { machineFrom } from './replica.ts';
import { setStatus } from './set-status.ts';

/**
 * Keeps as many Machines as each set asks for. One that is being deleted is none of them any more, so its replacement
 * is made at once and does not wait until it is gone.
 */
export function machineSets(world: World): void {
  for (const api of machineApis) keepSets(world, api);
}

const byNodeName = ({ status }: Machine): readonly string[] =>
  status?.nodeRef?.name === undefined ? [] : [status.nodeRef.name];

function keepSets(world: World, api: MachineApi): void {
  const sets = world.informer<MachineSet>(api.sets);
  const machines = world.informer<Machine>(api.machines);
  const alive = (set: MachineSet): Machine[] =>
    machines.in(byController, uidOf(set)).filter((machine) => !isTerminating(machine));

  const queue = world.queue(`machine-set ${api.group}`, (key) => {
    const set = sets.get(key);
    if (set === undefined) return;
    if (isKept(world, api, set)) {
      adopt(world, api, set);
      keepReplicas(world, api, { set, alive: alive(set) });
    }
    patchStatus(world, api.sets, set, setStatus(api, set, readiness(world, alive(set))));
  });
  const addOwner = (machine: Machine | undefined): void => {
    const owner = machine && controllerOf(machine);
    if (owner?.kind === 'MachineSet') queue.add(toKey(machine?.metadata.namespace, owner.name));
  };

  sets.onChange(({ key }) => queue.add(key));
  machines.onChange(({ before, after }) => {
    [before, after].forEach(addOwner);
    if (after !== undefined) for (const key of adopters(world, api, after)) queue.add(key);
  });
  world.informer<Node>('nodes').onChange(({ key, before, after }) => {
    if (before && after && isNodeReady(before) === isNodeReady(after)) return;
    machines.in(byNodeName, key).forEach(addOwner);
  });
}

function isKept(world: World, api: MachineApi, set: MachineSet): boolean {
  // A set written at another version than the Machines has templates that no Machine can be made of.
  return (
    !isTerminating(set) && !api.isPaused(set, world) && isServedAt(world, api.machines, set.apiVersion ?? '')
  );
}

function keepReplicas(
  world: World,
  api: MachineApi,
  { set, alive }: { set: MachineSet; alive: readonly Machine[] },
): void {
  const surplus = alive.length - (set.spec?.replicas ?? 1);
  for (let missing = -surplus; missing > 0; missing -= 1) make(world, api, set);
  if (surplus <= 0) return;
  const policy = api.policyOf(set);
  const priorityOf = api.policies.priority(policy);
  if (priorityOf === undefined) throw new Error(`${keyOf(set)}: ${api.policies.unsupported(policy ?? '')}`);
  const now = world.clock.now();
  for (const machine of firstToGo(alive, surplus, { priorityOf, now })) world.remove(api.machines, machine);
}

function make(world: World, api: MachineApi, set: MachineSet): void {
  if (api === clusterApi) makeClusterApiMachine(world, set);
  else world.create(api.machines, machineFrom(set));
}

function readiness(world: World, machines: readonly Machine[]): { replicas: number; ready: number } {
  const nodes = world.informer<Node>('nodes');
  const ready = machines.filter(({ status }) => {
    const node = nodes.get(status?.nodeRef?.name ?? '');
    return node !== undefined && isNodeReady(node);
  });
  return { replicas: machines.length, ready: ready.length };
}
