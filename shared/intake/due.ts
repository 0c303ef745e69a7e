import { look as watch } from '../follow/look.ts';
import { observedDialect } from '../follow/watched.ts';
import { readOr, Unavailable } from '../kubernetes/errors.ts';
import type { MachineRef } from '../machine/machine.ts';
import type { Advance, Fact } from '../machine/messages.ts';
import { isDeleted, type Read } from '../read/list-machines.ts';
import { isInOurNamespaces, knownDialect, machineResource } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Requeue } from '../store/port.ts';
import { WriteRefused } from '../write/outcome.ts';
import { takeInRead, unread } from './listed.ts';

/** After so many failures in a row it is asked whether there is still anything to look at. */
const maxHastyFailures = 30;
const patientMilliseconds = 60_000;
/** Longer than the turn of a living Machine takes. */
const tendingMilliseconds = 60_000;

/** A look that is due, and its Machine as it was read for that. */
interface Seen {
  look: Requeue;
  read: Read;
}

/** What a look has come to. */
interface Taken {
  command?: Advance;
  /** Not taken in yet. */
  living?: Seen;
  /** What has become true of a deletion that is only watched. */
  facts?: readonly Fact[];
}

/** All that a deletion needs, where the Machine is being deleted; one that lives is only read. */
export async function runDue(env: Environment, look: Requeue): Promise<Taken> {
  const taken = await orLater(env, look, async (): Promise<Taken | undefined> => {
    if (isWatched(env, look)) return { facts: await watch(env, look.machine) };
    const read = waitingHere(env, look) ?? (await readDue(env, look.machine));
    if (read === undefined) return notDue(env, look);
    if (!isDeleted(read)) return { living: { look, read } };
    const command = await takeSeen(env, { look, read });
    return command && { command };
  });
  return taken ?? {};
}

const isWatched = (env: Environment, { machine }: Requeue): boolean =>
  observedDialect(env, machine.apiVersion) !== undefined && isInOurNamespaces(env, machine);

/** A deletion that is only watched, while nothing says what is due. */
export async function lookOrLog(env: Environment, machine: MachineRef): Promise<readonly Fact[]> {
  try {
    return await watch(env, machine);
  } catch (error) {
    unread(env, machine, error);
    return [];
  }
}

/** A deletion that is only watched is due at once, unless a look at it is to come. */
export async function setDue({ store, clock }: Environment, machine: MachineRef): Promise<void> {
  await store.schedule({ machine, at: clock.now(), failures: 0, isProvisional: true, isOfDeletion: true });
}

/**
 * For a Machine that lives its provider may be asked, which may take until several ticks later. None of these must ask again,
 * on any instance. So this look is put off first, in case that it fails. Where another one is still to come, somebody else
 * has taken this one.
 */
export function takeLiving(env: Environment, { look, read }: Seen): Promise<Advance | undefined> {
  const at = env.clock.now() + tendingMilliseconds;
  const later: Requeue = { machine: look.machine, at, failures: look.failures, isProvisional: true };
  return orLater(env, later, async () => {
    const isOurs = await env.store.schedule(later);
    return isOurs ? takeSeen(env, { look: later, read }) : undefined;
  });
}

/** A deletion that waits for its turn, and that this instance has seen. The step reads it where that is long ago. */
function waitingHere(
  { cache }: Environment,
  { machine, isProvisional, isOfDeletion }: Requeue,
): Read | undefined {
  const known = cache.machine(machine.uid);
  return isProvisional === true && isOfDeletion === true && known && isDeleted(known) ? known : undefined;
}

/** Undefined where it is gone, and of an API, or of a namespace, that was looked after once. */
async function readDue(env: Environment, ref: MachineRef): Promise<Read | undefined> {
  const dialect = knownDialect(env, ref.apiVersion);
  if (dialect === undefined || !isInOurNamespaces(env, ref)) return undefined;
  const { namespace, name } = ref;
  const age = env.clock.stopwatch();
  const raw = await env.management.get(machineResource(dialect, ref), { namespace, name });
  return raw?.metadata.uid === ref.uid ? { raw, age } : undefined;
}

/** The next look is set before this one is asked for: a crash in between only repeats it. */
async function takeSeen(env: Environment, { look, read }: Seen): Promise<Advance | undefined> {
  const command = await takeInRead(env, read, look.failures);
  // It is no longer ours to finish, or alive. What could not be done for it then is due at another time.
  if (command === undefined) return notDue(env, look);
  await lookAgain(env, command);
  return command;
}

async function orLater<T>(
  env: Environment,
  look: Requeue,
  take: () => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await take();
  } catch (error) {
    unread(env, look.machine, error);
    return await dueLater(env, look, error);
  }
}

/**
 * Due again at once, but behind all others: requeues that fail each time must not always come first. Machines with invalid
 * fields, or with a mistake of ours, come later. So do living ones whose writes are refused. Those whose API is no longer
 * served are dropped. The sweep of everything finds whatever is there.
 */
async function dueLater(env: Environment, look: Requeue, error: unknown): Promise<undefined> {
  const { machine, isOfDeletion = false } = look;
  if (error instanceof WriteRefused) return notDue(env, look);
  const failures = look.failures + 1;
  if (failures > maxHastyFailures && !(await mayBeServed(env, machine))) return notDue(env, look);
  const milliseconds = error instanceof Unavailable ? 0 : patientMilliseconds;
  const at = env.clock.now() + milliseconds;
  await env.store.schedule({ machine, at, failures, ...(isOfDeletion && { isOfDeletion }) });
  return undefined;
}

/** Whether its API is served in its version, as far as anybody can tell. */
function mayBeServed({ management }: Environment, { apiVersion }: MachineRef): Promise<boolean> {
  const [group = '', version] = apiVersion.split('/');
  return readOr(true, async () => (await management.discover(group, 'Machine', version)) !== undefined);
}

async function notDue({ store }: Environment, look: Requeue): Promise<undefined> {
  await store.unschedule(look.machine.uid, look);
  return undefined;
}

/** In case that the command comes to nothing; the step that it asks for says itself how long it waits. */
export async function lookAgain(
  { store, clock, settings }: Environment,
  { machine }: Advance,
): Promise<void> {
  const at = clock.now() + settings.requeueAfterSeconds * 1_000;
  await store.schedule({ machine, at, failures: 0, isProvisional: true, isOfDeletion: true });
}
