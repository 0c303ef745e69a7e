import type { ActuatorAnswer, ActuatorReport } from '../../../../shared/actuator/port.ts';
import type { Cloud } from '../../provider/cloud.ts';
import { askingQueue } from '../machinery/asking-queue.ts';
import { isTerminating, toKey, uidOf } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { type Machine, openShift } from './apis.ts';
import { failedStatus, liveStatus } from './openshift-status.ts';

export const openShiftFinalizer = 'machine.machine.openshift.io';
/** When to try again, since a refusal may be brief. */
const repeatSeconds = 5;

/**
 * Plays OpenShift's machine controller for living Machines: has their servers made, and says how far they are. A
 * Machine in deletion is left alone. So is one without a finalizer yet: its server could be left behind.
 */
export function openShiftMachines(world: World): void {
  const { cloud } = world.settings;
  if (cloud === undefined) return;
  const machines = world.informer<Machine>(openShift.machines);
  /** The Machine if it has the same UID and is not in deletion. */
  const living = (key: string, uid?: string): Machine | undefined => {
    const machine = machines.get(key);
    if (machine === undefined || isTerminating(machine) || world.isStopped) return undefined;
    const isHeld = machine.metadata.finalizers?.includes(openShiftFinalizer) === true;
    return isHeld && (uid === undefined || uidOf(machine) === uid) ? machine : undefined;
  };

  const queue = askingQueue(world, 'openshift-machines', async (key) => {
    const asked = living(key);
    if (asked === undefined || asked.status?.phase === 'Failed') return;
    const answer = await actuate(cloud, asked);
    const machine = living(key, uidOf(asked));
    if (machine === undefined) return;
    const again = note(world, machine, answer);
    if (again !== undefined) queue.addAt(key, world.clock.now() + again * 1000);
  });

  machines.onChange(({ key, before, after }) => {
    if (after !== undefined && worthALook(before, after)) queue.add(key);
  });
  followServers(world, cloud, (key) => queue.add(key));
}

/** Tells of changes of OpenShift's servers, by the keys of their Machines. */
export function followServers(
  world: World,
  cloud: Cloud,
  tell: (key: string, isGone: boolean) => void,
): void {
  const stop = cloud.onChange(({ machine: { apiVersion, namespace, name } }, isGone) => {
    if (apiVersion.startsWith(`${openShift.group}/`)) tell(toKey(namespace, name), isGone);
  });
  world.onStop(stop);
}

/** It reacts to its own writes only if they leave work open. */
function worthALook(before: Machine | undefined, after: Machine): boolean {
  return (
    before === undefined ||
    before.metadata.generation !== after.metadata.generation ||
    before.metadata.finalizers?.length !== after.metadata.finalizers?.length ||
    before.status?.nodeRef?.name !== after.status?.nodeRef?.name
  );
}

type Answer = ActuatorAnswer | { kind: 'lost' } | { kind: 'unannounced' };

async function actuate(cloud: Cloud, machine: Machine): Promise<Answer> {
  const target = { machine, cluster: undefined };
  const existence = await cloud.exists(target);
  if (existence.kind === 'failed' || existence.kind === 'retry') return later(existence);
  if (existence.kind === 'exists') return later(await cloud.update(target));
  if (wasMade(machine)) return { kind: 'lost' };
  return machine.status?.phase === undefined ? { kind: 'unannounced' } : cloud.create(target);
}

/** A Machine fails only without a server: a failed request is tried again. */
const later = (answer: ActuatorAnswer): Answer =>
  answer.kind === 'failed' ? { kind: 'retry', afterSeconds: repeatSeconds, message: answer.message } : answer;

const wasMade = ({ spec, status }: Machine): boolean =>
  (spec?.providerID ?? '') !== '' || (status?.addresses?.length ?? 0) > 0;

/** Writes the answer down. Says in how many seconds to ask again; undefined when something else will tell. */
function note(world: World, machine: Machine, answer: Answer): number | undefined {
  const now = world.clock.now();
  const write = (status: object | undefined): undefined => {
    if (status !== undefined) world.writeStatus(openShift.machines, machine, status);
  };
  if (answer.kind === 'retry') return answer.afterSeconds;
  if (answer.kind === 'failed' && answer.reason !== 'InvalidConfiguration') return repeatSeconds;
  if (answer.kind === 'failed') return write(failedStatus(machine, { ...answer, instance: 'not-made' }, now));
  if (answer.kind === 'lost') {
    const message = "can't find created instance";
    return write(failedStatus(machine, { instance: 'lost', reason: undefined, message }, now));
  }
  if (answer.kind === 'unannounced') {
    // A Machine says that it is being made before anything is.
    write(liveStatus(machine, {}, now));
    return 0;
  }
  const { providerID } = answer.report;
  if (providerID !== undefined && providerID !== machine.spec?.providerID)
    world.patch(openShift.machines, machine, { spec: { providerID } });
  write(liveStatus(machine, answer.report, now));
  return isProvisioned(machine, answer.report) ? undefined : repeatSeconds;
}

/** Until then the provider is asked again, as on OpenShift: it does not tell when a server gets an address. */
const isProvisioned = ({ status }: Machine, { addresses = [] }: ActuatorReport): boolean =>
  addresses.length > 0 || (status?.addresses?.length ?? 0) > 0;
