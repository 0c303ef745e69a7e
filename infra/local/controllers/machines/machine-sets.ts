import { selects as isSelected } from '../../kubernetes/selectors/label-selector.ts';
import { controllerOf, isTerminating, keyOf, type Node, toKey, uidOf } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { isNodeReady } from '../nodes/nodes.ts';
import { byController } from '../workloads/pods.ts';
import { ownedBy, patchStatus } from '../workloads/replicas.ts';
import { clusterApi, type Machine, type MachineApi, type MachineSet, machineApis } from './apis.ts';
import { firstToGo, policiesOf } from './delete-priority.ts';
import { isServedAt } from './kinds.ts';
import { machineFrom, makeClusterApiMachine } from './replica.ts';

/**
 * Keeps as many Machines as each set asks for. A Machine in deletion does not count, so its replacement is made at
 * once.
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
  const policies = policiesOf(api);
  const priorityOf = policies.priority(policy);
  if (priorityOf === undefined) throw new Error(`${keyOf(set)}: ${policies.unsupported(policy ?? '')}`);
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

const byNamespaceOfOrphan = (machine: Machine): readonly string[] =>
  controllerOf(machine) === undefined ? [machine.metadata.namespace ?? ''] : [];

/** A set whose selector is empty selects nothing. */
function selects({ metadata, spec }: MachineSet, machine: Machine): boolean {
  const { matchLabels = {}, matchExpressions = [] } = spec?.selector ?? {};
  const isEmpty = Object.keys(matchLabels).length + matchExpressions.length === 0;
  if (isEmpty || metadata.namespace !== machine.metadata.namespace || isTerminating(machine)) return false;
  return isSelected(spec?.selector, machine.metadata.labels);
}

/** Keys of the sets that may take the Machine as theirs; none where it has a controller. */
function adopters(world: World, api: MachineApi, machine: Machine): string[] {
  if (controllerOf(machine) !== undefined) return [];
  const sets = [...world.informer<MachineSet>(api.sets).all()];
  return sets.filter((set) => selects(set, machine)).map(keyOf);
}

/**
 * Makes the set the controller of all Machines that it selects and that have none. Manifests written by hand have no
 * UIDs.
 */
function adopt(world: World, api: MachineApi, set: MachineSet): void {
  const orphans = world
    .informer<Machine>(api.machines)
    .in(byNamespaceOfOrphan, set.metadata.namespace ?? '')
    .filter((machine) => selects(set, machine));
  for (const machine of orphans) {
    const ownerReferences = [...(machine.metadata.ownerReferences ?? []), ownedBy(set)];
    world.patch(api.machines, machine, { metadata: { ownerReferences } });
  }
}

/** The counters of a set, under the names its API has for them. A Machine is ready when its Node is. */
function setStatus(
  api: MachineApi,
  set: MachineSet,
  { replicas, ready }: { replicas: number; ready: number },
): Record<string, unknown> {
  const common = {
    observedGeneration: set.metadata.generation ?? 1,
    replicas,
    readyReplicas: ready,
    availableReplicas: ready,
  };
  if (api !== clusterApi) return { ...common, fullyLabeledReplicas: replicas };
  const selector = selectorText(set);
  const isOld = set.apiVersion?.endsWith('/v1beta1') === true;
  return {
    ...common,
    ...(selector !== '' && { selector }),
    ...(isOld ? { fullyLabeledReplicas: replicas } : { upToDateReplicas: replicas }),
  };
}

const selectorText = ({ spec }: MachineSet): string =>
  Object.entries(spec?.selector?.matchLabels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .toSorted()
    .join(',');
