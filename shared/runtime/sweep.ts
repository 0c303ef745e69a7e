import type { Advance } from '../announcement.ts';
import { lookOr } from '../kubernetes/look-or.ts';
import { CouldNotLook } from '../kubernetes/port.ts';
import type { MachineRef } from '../machine/machine.ts';
import type { DueLook } from '../store/port.ts';
import { isInOurNamespaces, knownDialect, machineResource } from './find-machine.ts';
import { fromAnywhere, inTurn, inTurnWithin } from './in-turn.ts';
import type { Environment } from './environment.ts';
import { listAll, type Read } from './list-machines.ts';
import { countDeleting, countDue } from './sweep-counts.ts';
import { WriteRefused } from './save.ts';
import { type Asked, glimpsed, takeInListed, takeInRead, unread } from './take-in-listed.ts';

const mostDueLooks = 500;
/**
 * The answer of a sweep that takes longer than a request would be lost: what is not taken by then stays due, and what
 * a slow provider has not answered by then is not waited for.
 */
const longestMilliseconds = 20_000;
/** Nor is a slow store waited for longer than this, where thousands of looks are to be set. */
const longestSettingMilliseconds = 10_000;
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
    return (await takeInAll(env, await list(env))).map(({ command }) => command);
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
  const listed = await list(env);
  const { found, isWhole } = listed;
  const deleted = await takeInAll(env, listed);
  const limit = { clock: env.clock, milliseconds: longestMilliseconds };
  const living = fromAnywhere(
    found.filter((machine) => !isDeleted(machine)),
    env.random,
  );
  const late = await inTurnWithin(limit, living, (read) => takeInListed(env, read));
  const asked = [...deleted, ...late.filter(isAsked)];
  // What could not be listed is not none: then what was counted last stays.
  if (isWhole) countDeleting(env, asked);
  const commands = asked.map(({ command }) => command);
  // Where nobody has begun, no look is set: what is lost on the way would wait for the next list.
  await inTurnWithin(
    { ...limit, milliseconds: longestSettingMilliseconds },
    commands.filter(isFirst),
    (command) => lookAgain(env, command),
  );
  if (commands.length === 0 && isWhole) await setTicks(env);
  return commands;
}

const list = (env: Environment) => listAll(env, (read) => glimpsed(env, read));

type Deleted = Pick<Awaited<ReturnType<typeof list>>, 'found' | 'glimpsed'>;

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

const isAsked = (asked: Asked | undefined): asked is Asked => asked !== undefined;

/** All that is being deleted, whoever of it is held. */
async function takeInAll(env: Environment, { found, glimpsed: others }: Deleted): Promise<Asked[]> {
  const asked = await inTurn(found.filter(isDeleted), (read) => takeInListed(env, read));
  return [...asked, ...others].filter(isAsked);
}
