import type { Advance } from '../announcement.ts';
import type { Instant } from '../clock.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { MachineUnreadable } from '../dialects/dialect.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { CouldNotLook } from '../kubernetes/port.ts';
import type { DueLook } from '../store/port.ts';
import { dialectOf, machineResource } from './find-machine.ts';
import type { Environment } from './environment.ts';
import { takeIn } from './take-in.ts';

const mostDueLooks = 500;
const mostAtOnce = 16;
/** The answer of a sweep that takes longer than a request would be lost: what is not taken by then stays due. */
const longestMilliseconds = 20_000;

/**
 * Asks again for every Machine whose time has come, so that no lost, late or repeated event matters. With the
 * store down nothing says what is due, and all that is being deleted is looked at.
 */
export async function sweepDue(env: Environment): Promise<Advance[]> {
  const looks = await env.store.due(env.clock.now(), mostDueLooks);
  if (env.store.isAvailable?.() === false) return sweepAll(env);
  const end = env.clock.now() + longestMilliseconds;
  const commands = await inTurn(looks, async (look) =>
    env.clock.now() < end ? takeLook(env, look) : undefined,
  );
  return commands.filter((command) => command !== undefined);
}

/** The next look is set before this one is asked for: a crash in between only repeats it. */
async function takeLook(env: Environment, look: DueLook): Promise<Advance | undefined> {
  const { machine: ref, at } = look;
  try {
    const dialect = dialectOf(env, ref);
    const { namespace, name } = ref;
    const readAt = env.clock.now();
    const raw = await env.management.get(machineResource(dialect, ref), { namespace, name });
    const command = raw?.metadata.uid === ref.uid ? await takeInRead(env, { raw, readAt }) : undefined;
    // It is gone, or no longer ours to finish.
    if (command === undefined) {
      await env.store.unschedule(ref.uid, at);
      return undefined;
    }
    const again = env.clock.now() + env.settings.lookAgainSeconds * 1_000;
    await env.store.schedule({ machine: ref, at: again, failures: 0 });
    return command;
  } catch (error) {
    unread(env, ref.name, error);
    // Due again at once, but behind all others: looks that fail each time must not always be the first.
    const failures = look.failures + 1;
    await env.store.schedule({ machine: ref, at: env.clock.now(), failures });
    return undefined;
  }
}

/** What exists when an event source starts, and what happened while it was down, is told by nobody: list it. */
export async function sweepAll(env: Environment): Promise<Advance[]> {
  const found = await Promise.all(env.dialects.map((dialect) => listMachines(env, dialect)));
  const commands = await inTurn(found.flat(), (read) => takeInListed(env, read));
  return commands.filter((command) => command !== undefined);
}

/** A Machine, and when it was begun to be read. */
interface Read {
  raw: KubeObject;
  readAt: Instant;
}

async function listMachines(env: Environment, dialect: Dialect): Promise<Read[]> {
  const version = await servedVersion(env, dialect);
  if (version === undefined) return [];
  const readAt = env.clock.now();
  const { items } = await env.management.list(dialect.resource(version));
  return items.map((raw) => ({ raw, readAt }));
}

/** The version that the API prefers, or another one that is known here: it may prefer one that is newer than this. */
async function servedVersion(env: Environment, dialect: Dialect): Promise<string | undefined> {
  const preferred = await env.management.discover(dialect.group, 'Machine');
  if (preferred === undefined || dialect.versions.includes(preferred.version)) return preferred?.version;
  for (const version of dialect.versions) {
    const served = await env.management.discover(dialect.group, 'Machine', version);
    if (served !== undefined) return version;
  }
  return undefined;
}

async function takeInListed(env: Environment, read: Read): Promise<Advance | undefined> {
  try {
    return await takeInRead(env, read);
  } catch (error) {
    return unread(env, read.raw.metadata.name, error);
  }
}

/** The step that follows at once need not read it again. */
async function takeInRead(env: Environment, { raw, readAt }: Read): Promise<Advance | undefined> {
  const command = await takeIn(env, raw);
  if (command !== undefined) env.memory.rememberMachine(raw, readAt);
  return command;
}

/** One Machine that cannot be read must not keep the sweep from the others. */
function unread(env: Environment, machine: string, error: unknown): undefined {
  if (!(error instanceof CouldNotLook) && !(error instanceof MachineUnreadable)) throw error;
  env.log.warn('Machine could not be swept', { machine, why: error.message });
  return undefined;
}

async function inTurn<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: mostAtOnce }, worker));
  return results;
}
