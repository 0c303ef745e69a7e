import type { Advance } from '../announcement.ts';
import { MachineUnreadable } from '../dialects/dialect.ts';
import { lookOr } from '../kubernetes/look-or.ts';
import { CouldNotLook, type Key } from '../kubernetes/port.ts';
import type { MachineRef } from '../machine/machine.ts';
import type { DueLook } from '../store/port.ts';
import { isInOurNamespaces, knownDialect, machineResource } from './find-machine.ts';
import { fromAnywhere, inTurn, inTurnWithin } from './in-turn.ts';
import type { Environment } from './environment.ts';
import { listAll, type Read } from './list-machines.ts';
import { countDeleting, countDue } from './sweep-counts.ts';
import { WriteRefused } from './save.ts';
import { takeIn } from './take-in.ts';

const mostDueLooks = 500;
/**
 * The answer of a sweep that takes longer than a request would be lost: what is not taken by then stays due, and what
 * a slow provider has not answered by then is not waited for.
 */
const longestMilliseconds = 20_000;
/** After so many failures in a row it is asked whether there is still anything to look at. */
const mostHastyFailures = 30;
const patientMilliseconds = 60_000;
/** Further ahead than any look is set. */
const furthestMilliseconds = 86_400_000;

/**
 * Asks again for every Machine whose time has come, so that no lost, late or repeated event matters. With the
 * store down nothing says what is due, and all that is being deleted is looked at; whoever lives is left alone meanwhile.
 */
export async function sweepDue(env: Environment): Promise<Advance[]> {
  const looks = await env.store.due(env.clock.now(), mostDueLooks);
  if (env.store.isAvailable?.() === false)
    return takeInAll(env, (await listAll(env)).found.filter(isDeleted));
  countDue(env, looks);
  const limit = { clock: env.clock, milliseconds: longestMilliseconds };
  const commands = await inTurnWithin(limit, looks, (look) => takeLook(env, look));
  return commands.filter(isCommand);
}

/** The next look is set before this one is asked for: a crash in between only repeats it. */
async function takeLook(env: Environment, look: DueLook): Promise<Advance | undefined> {
  const { machine: ref } = look;
  try {
    const dialect = knownDialect(env, ref.apiVersion);
    // Of an API, or of a namespace, that was looked after once.
    if (dialect === undefined || !isInOurNamespaces(env, ref)) return await notDue(env, look);
    const { namespace, name } = ref;
    const age = env.clock.stopwatch();
    const raw = await env.management.get(machineResource(dialect, ref), { namespace, name });
    const command =
      raw?.metadata.uid === ref.uid ? await takeInRead(env, { raw, age }, look.failures) : undefined;
    // It is gone, no longer ours to finish, or alive; what could not be done for it then is due at another time.
    if (command === undefined) return await notDue(env, look);
    await lookAgain(env, command);
    return command;
  } catch (error) {
    unread(env, ref, error);
    return await dueLater(env, look, error);
  }
}

/**
 * Due again at once, but behind all others: looks that fail each time must not always be the first. Nobody hurries for a
 * Machine whose fields make no sense, or that a mistake of ours is about, for a living one that the API server refuses to
 * have changed, which may last for as long as it lives, or for one whose API is served no longer: whatever is there the
 * sweep of everything finds.
 */
async function dueLater(env: Environment, look: DueLook, error: unknown): Promise<undefined> {
  const { machine } = look;
  if (error instanceof WriteRefused) return notDue(env, look);
  const failures = look.failures + 1;
  if (failures > mostHastyFailures && !(await mayBeServed(env, machine))) return notDue(env, look);
  const milliseconds = error instanceof CouldNotLook ? 0 : patientMilliseconds;
  await env.store.schedule({ machine, at: env.clock.now() + milliseconds, failures });
  return undefined;
}

/** Whether its API is served in its version, as far as anybody can tell. */
function mayBeServed({ management }: Environment, { apiVersion }: MachineRef): Promise<boolean> {
  const [group = '', version] = apiVersion.split('/');
  return lookOr(true, async () => (await management.discover(group, 'Machine', version)) !== undefined);
}

async function notDue({ store }: Environment, { machine, at }: DueLook): Promise<undefined> {
  await store.unschedule(machine.uid, at);
  return undefined;
}

/** In case that the command comes to nothing; the step that it asks for says itself how long it waits. */
async function lookAgain({ store, clock, settings }: Environment, { machine }: Advance): Promise<void> {
  const at = clock.now() + settings.lookAgainSeconds * 1_000;
  await store.schedule({ machine, at, failures: 0, isProvisional: true });
}

/**
 * What exists when an event source starts, and what happened while it was down, is told by nobody: list it. Living
 * Machines come last, and for no longer than a while: the commands of deletions are in the same answer, and a provider, or
 * a webhook that is asked about each finalizer, may be slow.
 */
export async function sweepAll(env: Environment): Promise<Advance[]> {
  const { found, isWhole } = await listAll(env);
  const commands = await takeInAll(env, found.filter(isDeleted));
  const limit = { clock: env.clock, milliseconds: longestMilliseconds };
  const living = fromAnywhere(
    found.filter((machine) => !isDeleted(machine)),
    env.random,
  );
  const late = await inTurnWithin(limit, living, (read) => takeInListed(env, read));
  const all = [...commands, ...late.filter(isCommand)];
  // What could not be listed is not none: then what was counted last stays.
  if (isWhole) countDeleting(env, found, all);
  // Where nobody has begun, no look is set: what is lost on the way would wait for the next list.
  await inTurn(all.filter(isFirst), (command) => lookAgain(env, command));
  if (all.length === 0 && isWhole) await setTicks(env);
  return all;
}

/**
 * Nothing is being deleted: they may rest, unless a look is to come. That is for them to ask for, and where it is at
 * nothing any more, to forget; whoever set it may have failed to set them going. A store that is down says neither.
 */
async function setTicks({ store, clock, ticks }: Environment): Promise<void> {
  const looks = await store.due(clock.now() + furthestMilliseconds, 1);
  if (store.isAvailable?.() === false) return;
  await (looks.length === 0 ? ticks.rest() : ticks.start());
}

const isDeleted = ({ raw }: Read): boolean => raw.metadata.deletionTimestamp !== undefined;

const isFirst = ({ seq }: Advance): boolean => seq === 0;

const isCommand = (command: Advance | undefined): command is Advance => command !== undefined;

async function takeInAll(env: Environment, machines: readonly Read[]): Promise<Advance[]> {
  const commands = await inTurn(machines, (read) => takeInListed(env, read));
  return commands.filter(isCommand);
}

async function takeInListed(env: Environment, read: Read): Promise<Advance | undefined> {
  try {
    return await takeInRead(env, read);
  } catch (error) {
    return unread(env, read.raw.metadata, error);
  }
}

/** The step that follows at once need not read it again. */
async function takeInRead(env: Environment, { raw, age }: Read, failures = 0): Promise<Advance | undefined> {
  env.memory.rememberBack(raw.metadata.uid ?? '', age);
  const command = await takeIn(env, raw, failures);
  if (command !== undefined) env.memory.rememberMachine(raw, age);
  return command;
}

/**
 * One Machine that cannot be read must not keep the sweep from the others, nor one that a mistake of ours is about: it
 * would be come upon in every sweep.
 */
function unread({ log }: Environment, { namespace, name }: Key, error: unknown): undefined {
  const Machine = `${namespace}/${name}`;
  if (error instanceof CouldNotLook || error instanceof MachineUnreadable)
    log.warn('Machine could not be swept', { Machine, why: error.message });
  else log.error('Machine could not be swept', { Machine, error });
}
