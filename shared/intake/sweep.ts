import { forEachLimited, forEachUntil, rotated } from '../async/parallel.ts';
import type { Advance, Fact } from '../machine/messages.ts';
import { isDeleted, listAll, type See } from '../read/list-machines.ts';
import type { AskingHooks } from '../read/pre-terminate-hooks.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Requeue } from '../store/port.ts';
import { renewOwnLease } from '../write/own-lease.ts';
import { lookAgain, lookOrLog, runDue, setDue, takeLiving } from './due.ts';
import { openHookTally } from './hook-tally.ts';
import { type Asked, glimpsed, intakeListed } from './listed.ts';
import { showOldest } from './oldest-deletions.ts';
import { openPolicyTally, type PolicyTally } from './policy-tally.ts';
import { countDeleting, countDue } from './sweep-metrics.ts';

const maxDueLooks = 500;
/**
 * The answer of a sweep that takes longer than a request would be lost. What is not taken by then stays due. A slow
 * provider's late answer is not waited for.
 */
const longestMilliseconds = 20_000;
/** Nor is a slow store waited for longer than this, where thousands of looks are to be set. */
const longestSettingMilliseconds = 10_000;
/** Further ahead than any look is set. */
const furthestMilliseconds = 86_400_000;

/**
 * Asks again for every Machine whose time has come, so that no lost, late or repeated event matters. While the store is down
 * nothing says what is due. All deletions are taken up, and living Machines are left alone. Living Machines come last: a
 * provider that hangs for some of them must not keep deletions from what is due.
 */
export async function sweepDue(env: Environment, tell: (facts: readonly Fact[]) => void): Promise<Advance[]> {
  const due = await env.store.due(env.clock.now(), maxDueLooks);
  if (env.store.isAvailable?.() === false) return sweepWithoutStore(env, tell);
  countDue(env, due);
  const looks = withRoom(env, due);
  const { clock } = env;
  const age = clock.stopwatch();
  const limit = { clock, milliseconds: longestMilliseconds };
  const taken = await forEachUntil(limit, looks, (look) => runDue(env, look));
  tell(taken.flatMap(({ facts = [] }) => facts));
  const left = { clock, milliseconds: Math.max(0, longestMilliseconds - age()) };
  const living = taken.flatMap((each) => each.living ?? []);
  const late = await forEachUntil(left, living, (seen) => takeLiving(env, seen));
  return [...taken.map(({ command }) => command), ...late].filter(isCommand);
}

async function sweepWithoutStore(
  env: Environment,
  tell: (facts: readonly Fact[]) => void,
): Promise<Advance[]> {
  const asked = await takeInAll(env, await list(env));
  const limit = { clock: env.clock, milliseconds: longestMilliseconds };
  const facts = await forEachUntil(limit, asked.filter(isOnlyWatched), ({ command: { machine } }) =>
    lookOrLog(env, machine),
  );
  tell(facts.flat());
  return asked.filter(isStep).map(({ command }) => command);
}

/**
 * No event tells what exists when an event source starts, nor what happened while it was down: list it. Living Machines come
 * last, and for a limited time. The commands of deletions are in the same answer. A provider, or a webhook that is asked
 * about each finalizer, may be slow.
 */
export async function sweepAll(env: Environment): Promise<Advance[]> {
  if (env.settings.lease !== undefined) await renewOwnLease(env, env.settings.lease);
  const [hooks, policies] = await Promise.all([openHookTally(env), openPolicyTally(env)]);
  const see: See = (...seen) => {
    hooks.see(...seen);
    policies.see(...seen);
  };
  const listed = await list(env, see, hooks.asking);
  const { found, isWhole } = listed;
  const deleted = await takeInAll(env, listed);
  const limit = { clock: env.clock, milliseconds: longestMilliseconds };
  const living = rotated(
    found.filter((machine) => !isDeleted(machine)),
    env.random,
  );
  const late = await forEachUntil(limit, living, (read) => intakeListed(env, read));
  const asked = [...deleted, ...late.filter(isAsked)];
  // What could not be listed is not none: then what was counted last stays.
  if (isWhole) countDeleting(env, asked);
  showOldest(env, asked, isWhole);
  const commands = asked
    .filter((each) => isStep(each) && !policies.rests(each.command.machine.uid))
    .map(({ command }) => command);
  const setting = { ...limit, milliseconds: longestSettingMilliseconds };
  await findStore(env);
  // A deletion that has not begun has no requeue: a lost command would wait for the next list.
  await forEachUntil(setting, commands.filter(isFirst), (command) => lookAgain(env, command));
  await forEachUntil(setting, asked.filter(isOnlyWatched), ({ command: { machine } }) =>
    setDue(env, machine),
  );
  // The instance that began a deletion may have failed to start the tick.
  if (commands.length > 0) await env.ticks.start();
  else if (isWhole) await setTicks(env, policies);
  if (isWhole) await Promise.all([hooks.write(asked), policies.write()]);
  return commands;
}

/** Where the store was away one call finds out that it is back. What is written beside that call is lost. */
async function findStore({ store, clock }: Environment): Promise<void> {
  if (store.isAvailable?.() === false) await store.due(clock.now(), 1);
}

const list = (env: Environment, see?: See, asking?: AskingHooks) =>
  listAll(env, (read) => glimpsed(env, read), { see, asking });

type Deleted = Pick<Awaited<ReturnType<typeof list>>, 'found' | 'glimpsed'>;

/**
 * Nothing is being deleted, or all of it waits for a window. The tick may rest, unless a requeue is to come. The tick asks for that, and drops one whose
 * Machine is gone. The instance that set it may have failed to start the tick. A store that is down tells neither.
 */
async function setTicks({ store, clock, ticks }: Environment, { rests }: PolicyTally): Promise<void> {
  const looks = await store.due(clock.now() + furthestMilliseconds, maxDueLooks);
  if (store.isAvailable?.() === false) return;
  await (looks.every(({ machine }) => rests(machine.uid)) ? ticks.rest() : ticks.start());
}

const isOnlyWatched = ({ isWatched }: Asked): boolean => isWatched === true;
const isStep = (asked: Asked): boolean => !isOnlyWatched(asked);

const isFirst = ({ seq }: Advance): boolean => seq === 0;

const isCommand = (command: Advance | undefined): command is Advance => command !== undefined;

const isAsked = (asked: Asked | undefined): asked is Asked => asked !== undefined;

/** All Machines that are being deleted, held or not. */
async function takeInAll(env: Environment, { found, glimpsed: others }: Deleted): Promise<Asked[]> {
  const asked = await forEachLimited(found.filter(isDeleted), (read) => intakeListed(env, read));
  return [...asked, ...others].filter(isAsked);
}

/** What steps have asked for comes before what waits for its turn to begin. The rest stays due. */
function withRoom({ loadLimit }: Environment, due: readonly Requeue[]): Requeue[] {
  const asked = due.filter(({ isProvisional }) => isProvisional !== true);
  const waiting = due.filter(({ isProvisional }) => isProvisional === true);
  return [...asked, ...waiting.slice(0, loadLimit?.room())];
}
