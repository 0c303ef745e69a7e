import type { Dialect } from '../dialects/dialect.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { Machine, MachineRef } from '../machine/machine.ts';
import type { Fact } from '../machine/messages.ts';
import { dialectOf, machineResource } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import { withMachineLog } from '../runtime/telemetry.ts';
import type { Instant } from '../time/clock.ts';
import { reportWatched } from './report-watched.ts';
import { beginningOf, remember, reportEnd, reportedBefore, seqOf } from './reported.ts';
import { nextLook, observedDialect, shortestPause, type Watched, watchedOf } from './watched.ts';

/**
 * Looks at a Machine of an API that is only watched, and publishes what its deletion has come to. Nothing rests on an event.
 * Throws Unavailable and MachineUnreadable.
 */
export async function look(given: Environment, ref: MachineRef): Promise<readonly Fact[]> {
  const env = withMachineLog(given, ref);
  const facts = await env.machineQueue.run(ref.uid, 'look', () => lookNow(env, ref, dialectOf(env, ref)));
  return facts ?? [];
}

async function lookNow(env: Environment, ref: MachineRef, dialect: Dialect): Promise<readonly Fact[]> {
  const { namespace, name, uid } = ref;
  const age = env.clock.stopwatch();
  const raw = await env.management.get(machineResource(dialect, ref), { namespace, name });
  if (raw?.metadata.uid !== uid) return reportEnd(env, ref, dialect);
  env.cache.rememberBack(uid, age);
  env.cache.rememberMachine(raw, age);
  const watched = watchedOf(env, dialect, raw);
  if (watched === undefined) {
    await env.store.unschedule(uid);
    return [];
  }
  const before = await reportedBefore(env, ref);
  const isAsBefore = before !== 'nothing' && before.phase === watched.phase;
  // An instance that is lost while it looks is replaced by the one that this look comes to.
  await lookAgain(env, ref, isAsBefore ? before.since : env.clock.now());
  const machine = dialect.read(raw);
  await rememberLost(env, machine, watched);
  if (isAsBefore && isTooSoon(env, uid)) return [];
  const { told, facts } = await reportWatched(env, { machine, dialect, watched, before });
  env.cache.note(uid, { watched: { told, age, isLost: isAway(env) } });
  return facts;
}

const isAway = ({ store }: Environment): boolean => store.isAvailable?.() === false;

/** Other instances know by the history that the deletion is watched: without it they would not tell its end. */
async function rememberLost(env: Environment, machine: Machine, watched: Watched): Promise<void> {
  const { uid } = machine.ref;
  const noted = env.cache.notes(uid).watched;
  if (noted?.isLost !== true || isAway(env)) return;
  await remember(env, { machine, seq: seqOf(machine) }, watched, [beginningOf(watched)]);
  env.cache.note(uid, { watched: { ...noted, isLost: isAway(env) } });
}

async function lookAgain(env: Environment, machine: MachineRef, since: Instant): Promise<void> {
  const at = nextLook(since, env.clock.now());
  await env.store.schedule({ machine, at, failures: 0, isOfDeletion: true });
}

/** Its controller may write it many times a second. */
function isTooSoon({ cache }: Environment, uid: string): boolean {
  const { watched } = cache.notes(uid);
  return watched !== undefined && watched.age() < shortestPause;
}

/**
 * An event of a Machine of an API that is only watched. It is looked at where it claims something new. Undefined for the
 * Machines of all others.
 */
export async function onChange(env: Environment, object: KubeObject): Promise<readonly Fact[] | undefined> {
  const { apiVersion, metadata } = object;
  const dialect = observedDialect(env, apiVersion);
  if (dialect === undefined) return undefined;
  const claimed = watchedOf(env, dialect, object);
  if (claimed === undefined) return [];
  const known = env.cache.notes(metadata.uid ?? '').watched;
  const isNew = known?.told.phase !== claimed.phase || known.age() >= shortestPause;
  return isNew ? look(env, refOf(object)) : [];
}

/** An event says that it is gone: whether it is, the API server says. */
export async function onRemoval(env: Environment, object: KubeObject): Promise<readonly Fact[] | undefined> {
  const dialect = observedDialect(env, object.apiVersion);
  if (dialect === undefined) return undefined;
  return watchedOf(env, dialect, object) === undefined ? [] : look(env, refOf(object));
}

function refOf({ apiVersion = '', metadata }: KubeObject): MachineRef {
  const { namespace = '', name, uid = '' } = metadata;
  return { apiVersion, namespace, name, uid };
}
