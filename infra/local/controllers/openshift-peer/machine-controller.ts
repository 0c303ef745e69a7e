import { conditionsFrom, type WantedCondition } from '../../../../shared/dialects/conditions.ts';
import {
  setAll,
  wantedHookConditions,
  wantedPaused,
} from '../../../../shared/dialects/openshift/conditions.ts';
import { openShift as dialect } from '../../../../shared/dialects/openshift/index.ts';
import { authorityOf, drainedType } from '../../../../shared/dialects/openshift/judgements.ts';
import type { Cloud } from '../../provider/cloud.ts';
import { askingQueue } from '../machinery/asking-queue.ts';
import { isTerminating, isTrue, type Node, toTime, uidOf } from '../machinery/objects.ts';
import { recordEvent } from '../machinery/record-event.ts';
import { type World } from '../machinery/world.ts';
import { type Machine, openShift } from '../machines/apis.ts';
import { openShiftFinalizer as finalizer, followServers } from '../machines/openshift-machines.ts';

const component = 'machine-controller';
/** How long a server is left to go. */
const againMilliseconds = 30_000;

/**
 * Plays OpenShift's Machine controller for Machines that are being deleted, where `openShiftPeer` is set, and gives the living
 * its finalizer. It asks no hook before the drain: the condition Drained is all that it waits for, of whatever origin. What is
 * known of the real one, and a recording, hold it to the truth.
 */
export function openShiftMachineController(world: World): void {
  const { cloud, openShiftPeer } = world.settings;
  if (!openShiftPeer || cloud === undefined) return;
  const machines = world.informer<Machine>(openShift.machines);
  const queue = askingQueue(world, 'openshift-machine-controller', async (key) => {
    const machine = machines.get(key);
    if (machine === undefined || world.isStopped || !isReadyToGo(world, machine)) return;
    const isThere = await terminate(cloud, machine);
    const still = machines.get(key);
    if (still === undefined || uidOf(still) !== uidOf(machine) || world.isStopped) return;
    if (isThere) queue.addAt(key, world.clock.now() + againMilliseconds);
    else release(world, still);
  });
  machines.onChange(({ key, after }) => {
    if (after !== undefined) queue.add(key);
  });
  followServers(world, cloud, (key, isGone) => isGone && queue.add(key));
}

/** Goes on as far as no provider has to be asked; whether the server may be ended now. */
function isReadyToGo(world: World, machine: Machine): boolean {
  if (isLeftAlone(world, machine)) return false;
  const isHeld = machine.metadata.finalizers?.includes(finalizer) === true;
  if (!isTerminating(machine)) {
    if (!isHeld) world.addFinalizer(openShift.machines, machine, finalizer);
    return false;
  }
  // Its own write wakes it.
  const conditions = wantedHookConditions({ machine: dialect.read(machine) });
  if (say(world, machine, { phase: 'Deleting' }, conditions)) return false;
  if (!isHeld || !isTrue(machine.status?.conditions, drainedType)) return false;
  return (machine.spec?.lifecycleHooks?.preTerminate ?? []).length === 0;
}

/** Another API rules the Machine, or it lacks what every Machine has. */
function isLeftAlone(world: World, machine: Machine): boolean {
  const read = dialect.read(machine);
  const paused = wantedPaused(read);
  if (paused !== undefined) {
    if (say(world, machine, { authoritativeAPI: authorityOf(read) }, [paused])) return true;
    if (paused.status === 'True') return true;
  }
  const why = dialect.invalidity(read);
  if (why === undefined) return false;
  const message = `${machine.metadata.name}: machine validation failed: ${why}`;
  recordEvent(world, machine, { type: 'Warning', reason: 'FailedValidate', message, component });
  return true;
}

/** Whether there was anything new to write. */
function say(world: World, machine: Machine, fields: object, sayings: readonly WantedCondition[]): boolean {
  const before = conditionsFrom(machine.status?.conditions);
  const now = world.clock.now();
  const conditions = setAll(before, sayings, { now });
  const isSame =
    conditions.length === before.length && conditions.every((condition) => before.includes(condition));
  const isKnown = Object.entries(fields).every(([field, value]) => Object(machine.status)[field] === value);
  if (isSame && isKnown) return false;
  const status = { ...fields, conditions, lastUpdated: toTime(now) };
  world.patchUnchanged(openShift.machines, machine, { status }, 'status');
  return true;
}

/** Whether the server is still there; asked again each time, as the real one does. Throws where the provider fails. */
async function terminate(cloud: Cloud, machine: Machine): Promise<boolean> {
  const target = { machine, cluster: undefined };
  const answer = await cloud.delete(target);
  if (answer.kind === 'failed' || answer.kind === 'retry') throw new Error(answer.message);
  const existence = await cloud.exists(target);
  if (existence.kind === 'failed' || existence.kind === 'retry') throw new Error(existence.message);
  return existence.kind === 'exists';
}

function release(world: World, machine: Machine): void {
  const node = world.informer<Node>('nodes').get(machine.status?.nodeRef?.name ?? '');
  if (node !== undefined) world.remove('nodes', node);
  world.dropFinalizer(openShift.machines, machine, finalizer);
}
