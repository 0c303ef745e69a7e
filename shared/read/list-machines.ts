import { isServedForNow } from '../cache/provisioned.ts';
import { hasHook } from '../dialects/beside/hook.ts';
import { type Beside, type Dialect, MachineUnreadable, resourceOf } from '../dialects/dialect.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { Machine } from '../machine/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Stopwatch } from '../time/clock.ts';
import type { AskingHooks } from './pre-terminate-hooks.ts';

/** A Machine, and how long ago its read began. */
export interface Read {
  raw: KubeObject;
  age: Stopwatch;
}

/** Whether the Machine, as it was read, has a deletionTimestamp. */
export const isDeleted = ({ raw }: Read): boolean => raw.metadata.deletionTimestamp !== undefined;

/** Each list holds at most this many deleting Machines whole. More may be in deletion at once than a process has room for. */
const maxHeld = 500;

/** What is kept of Machines beyond that. Some of it may go unused: a list may start again. */
export type Glimpse<G> = (read: Read) => G;

/** Sees each Machine there is, also those that need nothing. A list may start again. */
export type See = (dialect: Dialect, raw: KubeObject) => void;

export interface Listed<G> {
  found: Read[];
  /** Of the deleting Machines that are not among the found. */
  glimpsed: G[];
}

/** All Machines of an API, or those of one of our namespaces. */
interface Place {
  dialect: Dialect;
  namespace?: string;
}

/**
 * The Machines that may need something, and whether these are all. An API or a namespace that fails must not block
 * the others. Throws if all of them fail.
 */
export async function listAll<G>(
  env: Environment,
  glimpse: Glimpse<G>,
  { see = () => undefined, asking }: { see?: See | undefined; asking?: AskingHooks | undefined } = {},
): Promise<Listed<G> & { isWhole: boolean }> {
  const failures: Unavailable[] = [];
  const places = env.dialects.flatMap((dialect) => placesOf(env, dialect));
  const lists = places.map(async (place) => {
    try {
      return await listMachines(env, place, { glimpse, see, asking });
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      failures.push(error);
      const { dialect, namespace } = place;
      env.log.warn('Machines could not be listed', { api: dialect.name, namespace, why: error.message });
      return { found: [], glimpsed: [] };
    }
  });
  const listed = await Promise.all(lists);
  const [failure] = failures;
  if (failure !== undefined && failures.length === places.length) throw failure;
  return {
    found: listed.flatMap(({ found }) => found),
    glimpsed: listed.flatMap(({ glimpsed }) => glimpsed),
    isWhole: failure === undefined,
  };
}

function placesOf({ settings: { namespaces } }: Environment, dialect: Dialect): Place[] {
  if (namespaces.length === 0) return [{ dialect }];
  return namespaces.map((namespace) => ({ dialect, namespace }));
}

async function listMachines<G>(
  env: Environment,
  { dialect, ...selection }: Place,
  { glimpse, see, asking }: { glimpse: Glimpse<G>; see: See; asking: AskingHooks | undefined },
): Promise<Listed<G>> {
  const version = await servedVersion(env, dialect);
  if (version === undefined) return { found: [], glimpsed: [] };
  const age = env.clock.stopwatch();
  const glimpsed = new Map<string | undefined, G>();
  let held = 0;
  const hold = (raw: KubeObject): KubeObject | undefined => {
    see(dialect, raw);
    if (!mayNeedUs(env, dialect, raw, asking)) return undefined;
    if (raw.metadata.deletionTimestamp === undefined) return raw;
    held += 1;
    if (held <= maxHeld) return raw;
    glimpsed.set(raw.metadata.uid, glimpse({ raw, age }));
    return undefined;
  };
  const { items } = await env.management.list(resourceOf(dialect, version), selection, hold);
  return { found: items.map((raw) => ({ raw, age })), glimpsed: [...glimpsed.values()] };
}

/** Most Machines live and lack nothing. A large fleet of them is more than a process can hold. */
function mayNeedUs(
  { cache }: Environment,
  dialect: Dialect,
  raw: KubeObject,
  asking: AskingHooks | undefined,
): boolean {
  const { metadata } = raw;
  if (metadata.deletionTimestamp !== undefined) return true;
  if (dialect.isObserved === true) return false;
  if (dialect.beside !== undefined) return isToRegister(dialect, dialect.beside, raw, asking);
  if (!dialect.managesServers) return metadata.finalizers?.includes(dialect.finalizer) !== true;
  return !isServedForNow(cache, raw);
}

/** The intake reports a Machine that cannot be read. */
function isToRegister(
  dialect: Dialect,
  beside: Beside,
  raw: KubeObject,
  asking: AskingHooks | undefined,
): boolean {
  try {
    const machine = dialect.read(raw);
    const isDue = beside.register(machine, 'PreDrain', true).kind !== 'none';
    return isDue || isToJudge(machine, beside, asking);
  } catch (error) {
    if (error instanceof MachineUnreadable) return true;
    throw error;
  }
}

/** Whether our hook before the end of the server may have to come or go. The labels of a Cluster are read later. */
function isToJudge(machine: Machine, { register, hooks }: Beside, asking: AskingHooks | undefined): boolean {
  if (asking === undefined) return false;
  const { isAny, isSure } = asking.mayAsk(machine);
  if (isAny && !isSure && hasHook(machine.raw, hooks.PreTerminate)) return true;
  return register(machine, 'PreTerminate', isAny).kind !== 'none';
}

/** The version that the API prefers, or another one that is known here. The API may prefer a newer one. */
export async function servedVersion(env: Environment, dialect: Dialect): Promise<string | undefined> {
  const preferred = await env.management.discover(dialect.group, 'Machine');
  if (preferred === undefined || dialect.versions.includes(preferred.version)) return preferred?.version;
  for (const version of dialect.versions) {
    const served = await env.management.discover(dialect.group, 'Machine', version);
    if (served !== undefined) return version;
  }
  return undefined;
}
