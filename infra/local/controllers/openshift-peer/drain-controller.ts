import { conditionsFrom } from '../../../../shared/dialects/conditions.ts';
import { setAll } from '../../../../shared/dialects/openshift/conditions.ts';
import { drainedType } from '../../../../shared/dialects/openshift/judgements.ts';
import type { Instant } from '../../../../shared/time/clock.ts';
import { isTerminating, isTrue, keyOf, type Node, type Pod, uidOf } from '../machinery/objects.ts';
import { recordEvent } from '../machinery/record-event.ts';
import { type World } from '../machinery/world.ts';
import { type Machine, openShift } from '../machines/apis.ts';
import { Attempt, podsToGo } from './attempt.ts';

const excludeDrain = 'machine.openshift.io/exclude-node-draining';
const controlPlaneLabels = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];
/** As long as another Node of the control plane is cordoned. */
const notPermittedMilliseconds = 20_000;
const firstRetryMilliseconds = 5_000;
const lastRetryMilliseconds = 1_000_000;

/**
 * Plays OpenShift's drain controller, where `openShiftPeer` is set. It drains the Node of a Machine in phase Deleting
 * that no hook holds. Each attempt lasts 20 s. Then it says that the drain is done. It knows neither
 * MachineDrainRules nor labels of Pods.
 */
export function openShiftDrainController(world: World): void {
  if (!world.settings.openShiftPeer) return;
  const machines = world.informer<Machine>(openShift.machines);
  const states = new Map<string, State>();

  const queue = world.queue('openshift-drain-controller', (key) => {
    const machine = machines.get(key);
    if (machine === undefined || !isToDrain(machine)) return;
    const state = states.get(uidOf(machine)) ?? { failures: 0, notBefore: 0, attempt: undefined };
    states.set(uidOf(machine), state);
    if (state.attempt === undefined && state.notBefore > world.clock.now())
      return queue.addAt(key, state.notBefore);
    const again = reconcile(world, machine, state);
    if (again !== undefined) queue.addAt(key, again);
  });
  machines.follow(queue, (uid) => states.delete(uid));
}

interface State {
  failures: number;
  notBefore: Instant;
  attempt: Attempt | undefined;
}

const isToDrain = (machine: Machine): boolean =>
  isTerminating(machine) &&
  machine.status?.phase === 'Deleting' &&
  !isTrue(machine.status.conditions, drainedType) &&
  !['ClusterAPI', 'Migrating'].includes(String(Object(machine.status)['authoritativeAPI'] ?? ''));

/** One look, or a part of an attempt. Answers when to look again. */
function reconcile(world: World, machine: Machine, state: State): Instant | undefined {
  if (state.attempt === undefined && !mayBegin(world, machine)) return undefined;
  const node = world.informer<Node>('nodes').get(machine.status?.nodeRef?.name ?? '');
  return node === undefined ? drained(world, machine, undefined) : drain(world, machine, { node, state });
}

function mayBegin(world: World, machine: Machine): boolean {
  const { annotations = {} } = machine.metadata;
  if (excludeDrain in annotations || machine.status?.nodeRef === undefined) {
    tell(world, machine, 'DrainSkipped', 'Node drain skipped');
    markDrained(world, machine, 'Node drain skipped');
    return false;
  }
  if ((machine.spec?.lifecycleHooks?.preDrain ?? []).length > 0) {
    tell(world, machine, 'DrainBlocked', 'Drain blocked by pre-drain hook');
    return false;
  }
  tell(world, machine, 'DrainProceeds', 'Node drain proceeds');
  return true;
}

function drain(
  world: World,
  machine: Machine,
  { node, state }: { node: Node; state: State },
): Instant | undefined {
  if (!isPermitted(world, node)) return requeue(world, machine, state, notPermitted);
  if (node.spec?.unschedulable !== true) world.patch('nodes', node, { spec: { unschedulable: true } });
  state.attempt ??= new Attempt(world.clock.now());
  const left = podsToGo(world, node);
  if (left.length === 0) return drained(world, machine, node);
  if (state.attempt.isOver(world.clock.now())) return requeue(world, machine, state, timeoutOf(left));
  state.attempt.evict(world, node, left);
  return world.clock.now() + 1_000;
}

interface Failure {
  message: string;
  after?: number;
}

const notPermitted: Failure = {
  message: 'drain not permitted: requeue in: 20s',
  after: notPermittedMilliseconds,
};

const timeoutOf = ([pod]: readonly Pod[]): Failure => ({
  message: `error when evicting pods/${JSON.stringify(pod?.metadata.name)} -n ${JSON.stringify(
    pod?.metadata.namespace,
  )}: global timeout reached: 20s`,
});

/** Two Nodes of the control plane are not drained at once; one that is cordoned already goes on. */
function isPermitted(world: World, node: Node): boolean {
  if (!isOfControlPlane(node) || node.spec?.unschedulable === true) return true;
  return ![...world.informer<Node>('nodes').all()].some(
    (other) => keyOf(other) !== keyOf(node) && isOfControlPlane(other) && other.spec?.unschedulable === true,
  );
}

const isOfControlPlane = ({ metadata }: Node): boolean =>
  controlPlaneLabels.some((label) => metadata.labels?.[label] !== undefined);

function requeue(world: World, machine: Machine, state: State, { message, after }: Failure): Instant {
  tell(world, machine, 'DrainRequeued', `Node drain requeued: ${message}`);
  state.attempt = undefined;
  const delay = Math.min(lastRetryMilliseconds, firstRetryMilliseconds * 2 ** Math.min(state.failures, 20));
  if (after === undefined) {
    state.failures += 1;
    world.settings.onPeerPass?.(keyOf(machine));
  }
  state.notBefore = world.clock.now() + (after ?? delay);
  return state.notBefore;
}

function drained(world: World, machine: Machine, node: Node | undefined): undefined {
  tell(world, machine, 'DrainSucceeded', 'Node drain succeeded');
  if (node !== undefined) tell(world, machine, 'Deleted', `Node "${node.metadata.name}" drained`);
  return markDrained(world, machine, 'Drain finished successfully');
}

function markDrained(world: World, machine: Machine, message: string): undefined {
  const before = conditionsFrom(machine.status?.conditions);
  const saying = { type: drainedType, status: 'True', message } as const;
  const conditions = setAll(before, [saying], { now: world.clock.now() });
  world.patchUnchanged(openShift.machines, machine, { status: { conditions } }, 'status');
}

const tell = (world: World, machine: Machine, reason: string, message: string): void =>
  recordEvent(world, machine, { type: 'Normal', reason, message, component: 'machine-drain-controller' });
