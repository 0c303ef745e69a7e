import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import { at } from '../../kubernetes/server/json.ts';
import { isTerminating, keyOf, type Node } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { clusterApi, type Machine } from '../machines/apis.ts';
import { referenced } from '../machines/kinds.ts';
import { byProviderId } from '../nodes/nodes.ts';
import { drained } from './drain.ts';
import { bootstrapConfig, infrastructure, removed } from './owned-objects.ts';
import { pausedStatus, statusAfter } from './status.ts';
import type { Pass, Places, Step, Wait } from './step.ts';
import { detached } from './volumes.ts';

const finalizer = 'machine.cluster.x-k8s.io';

interface Hooks {
  point: string;
  reason: string;
  condition: string;
}

/** Waits for as long as an annotation of the prefix is there, whatever its value. */
const noHooks =
  ({ point, reason, condition }: Hooks): Step =>
  ({ machine, said }) => {
    const prefix = `${point}.delete.hook.machine.cluster.x-k8s.io`;
    const keys = Object.keys(machine.metadata.annotations ?? {}).filter((key) => key.startsWith(prefix));
    if (keys.length === 0) {
      said.set(condition, { status: 'True' });
      return undefined;
    }
    said.set(condition, { status: 'False', reason: 'WaitingExternalHook', severity: 'Info' });
    return {
      reason,
      message: `Waiting for ${point} hooks to succeed (hooks: ${keys.toSorted().join(',')})`,
    };
  };

const preDrainHooks = noHooks({
  point: 'pre-drain',
  reason: 'WaitingForPreDrainHook',
  condition: 'PreDrainDeleteHookSucceeded',
});

const preTerminateHooks = noHooks({
  point: 'pre-terminate',
  reason: 'WaitingForPreTerminateHook',
  condition: 'PreTerminateDeleteHookSucceeded',
});

const nodeDeleted: Step = ({ nodes, node }) => {
  if (node !== undefined) nodes.remove('nodes', node);
  return undefined;
};

const server = [preTerminateHooks, removed(infrastructure), removed(bootstrapConfig)];
/** Every pass begins at the top: a late hook holds what has begun long ago. */
const withNode = [preDrainHooks, drained, detached, ...server, nodeDeleted];

const completed: Wait = { reason: 'DeletionCompleted', message: 'Deletion completed' };

/** One look at a Machine. `again`: it is to be left alone for a while, and then looked at. */
export function reconcile(places: Places, machine: Machine, cluster: KubeObject): 'again' | undefined {
  const { world } = places;
  const isHeld = machine.metadata.finalizers?.includes(finalizer) === true;
  if (!isTerminating(machine)) {
    if (isHeld) return undefined;
    world.addFinalizer(clusterApi.machines, machine, finalizer);
    return undefined;
  }
  if (!isHeld) return undefined;
  const why = pauses(machine, cluster);
  const paused = pausedStatus(machine, why, world.clock.now());
  // Its own write wakes it.
  if (paused !== undefined) return write(world, machine, paused);
  return why.length > 0 ? undefined : carryOn(places, machine, cluster);
}

function pauses({ metadata }: Machine, cluster: KubeObject): string[] {
  const isMarked = metadata.annotations?.['cluster.x-k8s.io/paused'] !== undefined;
  return [
    ...(at(cluster, 'spec', 'paused') === true ? ['Cluster spec.paused is set to true'] : []),
    ...(isMarked ? ['Machine has the cluster.x-k8s.io/paused annotation'] : []),
  ];
}

function carryOn(places: Places, machine: Machine, cluster: KubeObject): 'again' | undefined {
  const { world } = places;
  const pass = begin(places, machine);
  const steps = pass.nodeName !== '' && mindsNode(world, cluster) ? withNode : server;
  const wait = firstWait(steps, pass) ?? completed;
  write(world, machine, statusAfter(pass, wait));
  const now = world.informer<Machine>(clusterApi.machines).get(keyOf(machine));
  if (wait === completed && now !== undefined) world.dropFinalizer(clusterApi.machines, now, finalizer);
  return wait.again && 'again';
}

function begin(places: Places, machine: Machine): Pass {
  const nodes = places.nodes.informer<Node>('nodes');
  const found = nodes.in(byProviderId, machine.spec?.providerID ?? '')[0];
  const nodeName = machine.status?.nodeRef?.name ?? found?.metadata.name ?? '';
  const times = { ...machine.status?.deletion };
  return { ...places, machine, nodeName, node: nodes.get(nodeName), said: new Map(), times };
}

function firstWait(steps: readonly Step[], pass: Pass): Wait | undefined {
  for (const step of steps) {
    const wait = step(pass);
    if (wait !== undefined) return wait;
  }
  return undefined;
}

/** Refused if the Machine has changed meanwhile, so that what others say of it stays. */
function write(world: World, machine: Machine, status: object): undefined {
  world.patchUnchanged(clusterApi.machines, machine, { status }, 'status');
}

const clusterLabel = 'cluster.x-k8s.io/cluster-name';
const controlPlaneLabel = 'cluster.x-k8s.io/control-plane';

/**
 * Whether the Node's end is prepared for: pre-drain hooks, drain, volumes, the Node itself. It is not where the whole
 * cluster goes, or where no Machine of a control plane stays.
 */
function mindsNode(world: World, cluster: KubeObject): boolean {
  if (isTerminating(cluster)) return false;
  const { namespace, name } = cluster.metadata;
  const controlPlane = referenced(world, namespace, at(cluster, 'spec', 'controlPlaneRef'))?.object;
  if (controlPlane !== undefined && isTerminating(controlPlane)) return false;
  if (at(controlPlane, 'status', 'externalManagedControlPlane') === true) return true;
  const isMember = (machine: Machine): boolean =>
    machine.metadata.namespace === namespace &&
    machine.metadata.labels?.[clusterLabel] === name &&
    machine.metadata.labels[controlPlaneLabel] !== undefined;
  const machines = [...world.informer<Machine>(clusterApi.machines).all()];
  return machines.some((machine) => isMember(machine) && !isTerminating(machine));
}
