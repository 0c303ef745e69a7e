import { type Dialect, MachineUnreadable, resourceOf } from '../dialects/dialect.ts';
import type { Key, Resource } from '../kubernetes/client.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { Machine, MachineRef } from '../machine/machine.ts';
import type { Advance } from '../machine/messages.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Stopwatch } from '../time/clock.ts';

/** The Machine API that has this version; undefined if it is unknown. */
export const knownDialect = ({ dialects }: Environment, apiVersion: string): Dialect | undefined =>
  dialects.find(({ group, versions }) => versions.some((version) => apiVersion === `${group}/${version}`));

/** The Machine API of a Machine. Throws MachineUnreadable if it is unknown. */
export function dialectOf(env: Environment, ref: MachineRef): Dialect {
  const dialect = knownDialect(env, ref.apiVersion);
  if (dialect !== undefined) return dialect;
  const served = env.dialects.flatMap((known) => known.versions.map((v) => `${known.group}/${v}`)).join(', ');
  throw new MachineUnreadable(
    `Machine ${ref.namespace}/${ref.name}: unknown apiVersion "${ref.apiVersion}" (known: ${served})`,
  );
}

/** Reads a Machine; undefined where its fields make no sense. */
export function readOrNone(dialect: Dialect, raw: KubeObject): Machine | undefined {
  try {
    return dialect.read(raw);
  } catch (error) {
    if (!(error instanceof MachineUnreadable)) throw error;
    return undefined;
  }
}

/** The resource of a Machine, in the version that its reference names. */
export const machineResource = (dialect: Dialect, ref: MachineRef): Resource =>
  resourceOf(dialect, ref.apiVersion.split('/')[1] ?? '');

/** Machines of other namespaces are not ours, and we may have no right to read them. */
export const isInOurNamespaces = ({ settings }: Environment, { namespace }: Key): boolean =>
  settings.namespaces.length === 0 || settings.namespaces.includes(namespace ?? '');

/** Whether a turn of a DeletionHook is of a Machine that this installation looks after. */
export const isTurnOfOurs = (env: Environment, { machine }: { machine: MachineRef }): boolean =>
  knownDialect(env, machine.apiVersion) !== undefined && isInOurNamespaces(env, machine);

/**
 * Whether it is in a namespace of ours, and the watch filter accepts it. An empty filter accepts every Machine. So
 * does an API that has no filter label.
 */
export function isOurs(env: Environment, machine: Machine, { watchFilterLabel }: Dialect): boolean {
  if (!isInOurNamespaces(env, machine.ref)) return false;
  const filter = env.settings.watchFilter;
  return filter === '' || watchFilterLabel === undefined || machine.labels[watchFilterLabel] === filter;
}

/** Events of a Machine may be lost. A Machine that was seen longer ago than this is read again. */
const machineAgeMilliseconds = 15_000;

/**
 * The Machine of a command, and how long ago it was seen. Comes from the cache if that is new enough, else from a
 * read. The caller that decides by it puts it into the cache, which makes its event no news.
 */
export async function readMachine(
  env: Environment,
  dialect: Dialect,
  { machine: ref, resourceVersion }: Advance,
  freshly: boolean,
): Promise<{ raw: KubeObject; age: Stopwatch } | undefined> {
  const remembered = freshly ? undefined : env.cache.machine(ref.uid);
  if (remembered !== undefined && isAsNewAs(remembered.raw, resourceVersion)) {
    if (remembered.age() <= machineAgeMilliseconds) return remembered;
  }
  const { namespace, name } = ref;
  const age = env.clock.stopwatch();
  const raw = await env.management.get(machineResource(dialect, ref), { namespace, name });
  if (raw === undefined || raw.metadata.uid !== ref.uid) return undefined;
  return { raw, age };
}

/** Only a command that names its version can be served from memory. Others are news of a change. */
function isAsNewAs(raw: KubeObject, resourceVersion: string | undefined): boolean {
  if (resourceVersion === undefined) return false;
  if (raw.metadata.resourceVersion === resourceVersion) return true;
  return Number(raw.metadata.resourceVersion) > Number(resourceVersion);
}

/** A step rests on nothing older than this, unless its reads take that long. */
const oldMilliseconds = 30_000;
/** No API is slower than this. A step that takes longer froze, more than once. */
const slowestMilliseconds = 300_000;

/** A start of a step, and how old it may become. */
export interface Start {
  age: Stopwatch;
  maxMilliseconds: number;
}

/** On a slow API a step would restart forever. After one slow start, allow five minutes. */
export function startAfter(before: Start | undefined, age: Stopwatch): Start {
  const tookLong = before !== undefined && before.age() > oldMilliseconds;
  const maxMilliseconds = tookLong ? slowestMilliseconds : (before?.maxMilliseconds ?? oldMilliseconds);
  return { age, maxMilliseconds };
}

/** Whether a step has lasted too long to act on what it saw, and must start over. */
export const mustRestart = ({ start }: { start?: Start }): boolean =>
  start !== undefined && start.age() > start.maxMilliseconds;
/** No request waits longer for its answer. */
const answeredMilliseconds = 25_000;

/**
 * Whether the process froze while it waited for a Machine. The Machine may be paused or deleted since.
 * @param age since the request
 */
export const isReadTooOld = (age: Stopwatch): boolean => age() > answeredMilliseconds;

/** The Machine as it is now; undefined if it is gone. Not cached: the next event of a deleting Machine is still news. */
export async function readAgain(
  env: Environment,
  dialect: Dialect,
  { ref }: Machine,
): Promise<Machine | undefined> {
  const { namespace, name, uid } = ref;
  const raw = await env.management.get(machineResource(dialect, ref), { namespace, name });
  return raw === undefined || raw.metadata.uid !== uid ? undefined : dialect.read(raw);
}

const maxReadings = 3;

/**
 * The same for a caller that acts on a server by it. What was heard of the Machine may be old. A server whose
 * deletion was requested must not be changed, nor made again. Throws Unavailable.
 */
export async function readNow(
  env: Environment,
  dialect: Dialect,
  machine: Machine,
): Promise<Machine | undefined> {
  for (let reading = 0; reading < maxReadings; reading += 1) {
    const age = env.clock.stopwatch();
    const now = await readAgain(env, dialect, machine);
    if (!isReadTooOld(age)) return now;
  }
  throw new Unavailable('the Machine could not be read in time');
}

/**
 * Whether a list has the Machine that a read did not find. "Not found" comes without a version, so it does not show
 * how old it is. Throws Unavailable.
 */
export async function isListed(env: Environment, dialect: Dialect, { ref }: Machine): Promise<boolean> {
  const { namespace, name, uid } = ref;
  const selection = { namespace, fieldSelector: `metadata.name=${name}` };
  const { items } = await env.management.list(machineResource(dialect, ref), selection);
  return items.some(({ metadata }) => metadata.uid === uid);
}
