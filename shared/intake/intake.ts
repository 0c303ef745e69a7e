import { isServed } from '../cache/provisioned.ts';
import type { Beside, Dialect } from '../dialects/dialect.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { usableCheckpoint } from '../machine/checkpoint.ts';
import type { Machine, MachineRef } from '../machine/machine.ts';
import type { Advance } from '../machine/messages.ts';
import { nextPhase } from '../phase/next-phase.ts';
import { addFinalizers } from '../provision/finalizers.ts';
import { provision } from '../provision/provision.ts';
import { dialectOf, isOurs } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import { machineTrace, withMachineLog } from '../runtime/telemetry.ts';
import { register } from './register.ts';

/** The command that looks at a deleting Machine, as far as its own text tells where it stands. */
function commandFor(env: Environment, machine: Machine, dialect: Dialect): Advance {
  const saved = usableCheckpoint(machine, dialect.phases);
  const { resourceVersion, ref } = machine;
  const known = { machine: ref, resourceVersion, ...machineTrace(env, machine) };
  if (saved !== undefined) return { ...known, phase: saved.phase, seq: saved.seq };
  const leg = nextPhase(machine, dialect, { allowed: true });
  return { ...known, phase: leg.phase, seq: 0 };
}

/**
 * Whether an event of a Machine is no news. This instance has read or written this version, or knows the Machine to be gone.
 */
export function isKnown({ cache }: Environment, object: KubeObject): boolean {
  const { uid = '', resourceVersion, deletionTimestamp } = object.metadata;
  if (cache.isGone(uid)) return true;
  const seen = Number(cache.machine(uid)?.raw.metadata.resourceVersion ?? 0);
  if (seen >= Number(resourceVersion)) return true;
  // Our own write of a living Machine's server comes back as an event: reporting it again would never end.
  return deletionTimestamp === undefined && isServed(cache, object);
}

/**
 * What a Machine that was heard of needs. A living one needs our finalizer, and its server in step where its API wants that.
 * One that is being deleted needs a look, and all others nothing. `failures` counts the failures in a row to keep it in step.
 * `isHeard` says that an event alone shows how the Machine is.
 */
export async function intakeEvent(
  given: Environment,
  raw: KubeObject,
  { failures = 0, isHeard = false }: { failures?: number; isHeard?: boolean } = {},
): Promise<Advance | undefined> {
  if (raw.metadata.deletionTimestamp !== undefined) return takeInDeleted(given, raw);
  const env = withMachineLog(given, refOf(raw));
  const dialect = dialectOf(env, refOf(raw));
  const machine = dialect.read(raw);
  if (!isOurs(env, machine, dialect) || dialect.isObserved === true) return undefined;
  if (isBeside(dialect)) {
    await register(env, dialect, machine, isHeard);
    return undefined;
  }
  if (!dialect.managesServers) {
    await addFinalizers(env, dialect, machine, { isHeard });
    return undefined;
  }
  const deleted = await provision(env, dialect, machine, { failures, isHeard });
  return deleted === undefined ? undefined : lookAt(env, deleted, dialect);
}

/** The same for a Machine that is being deleted: it needs no request. */
export function takeInDeleted(env: Environment, raw: KubeObject): Advance | undefined {
  const dialect = dialectOf(env, refOf(raw));
  const machine = dialect.read(raw);
  return isOurs(env, machine, dialect) ? lookAt(env, machine, dialect) : undefined;
}

const lookAt = (env: Environment, machine: Machine, dialect: Dialect): Advance | undefined =>
  dialect.hold.isOn(machine) ? commandFor(env, machine, dialect) : undefined;

function refOf(raw: KubeObject): MachineRef {
  const { namespace = '', name, uid = '' } = raw.metadata;
  return { apiVersion: raw.apiVersion ?? '', namespace, name, uid };
}

/** Whether phaseout works beside the controller of this Machine API. */
const isBeside = (dialect: Dialect): dialect is Dialect & { beside: Beside } => dialect.beside !== undefined;
