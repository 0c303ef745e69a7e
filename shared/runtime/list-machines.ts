import type { Stopwatch } from '../clock.ts';
import { type Dialect, resourceOf } from '../dialects/dialect.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { CouldNotLook } from '../kubernetes/port.ts';
import type { Environment } from './environment.ts';

/** A Machine, and how long ago it was begun to be read. */
export interface Read {
  raw: KubeObject;
  age: Stopwatch;
}

/** All Machines of an API, or those of one of the namespaces that alone are looked after. */
interface Place {
  dialect: Dialect;
  namespace?: string;
}

/**
 * The Machines that may need something, and whether these are all. An API or a namespace that cannot be listed must not
 * keep anybody from the others; where none can be, that is thrown.
 */
export async function listAll(env: Environment): Promise<{ found: Read[]; isWhole: boolean }> {
  const failures: CouldNotLook[] = [];
  const places = env.dialects.flatMap((dialect) => placesOf(env, dialect));
  const lists = places.map(async (place) => {
    try {
      return await listMachines(env, place);
    } catch (error) {
      if (!(error instanceof CouldNotLook)) throw error;
      failures.push(error);
      const { dialect, namespace } = place;
      env.log.warn('Machines could not be listed', { api: dialect.name, namespace, why: error.message });
      return [];
    }
  });
  const found = (await Promise.all(lists)).flat();
  const [failure] = failures;
  if (failure !== undefined && failures.length === places.length) throw failure;
  return { found, isWhole: failure === undefined };
}

function placesOf({ settings: { namespaces } }: Environment, dialect: Dialect): Place[] {
  if (namespaces.length === 0) return [{ dialect }];
  return namespaces.map((namespace) => ({ dialect, namespace }));
}

async function listMachines(env: Environment, { dialect, ...selection }: Place): Promise<Read[]> {
  const version = await servedVersion(env, dialect);
  if (version === undefined) return [];
  const age = env.clock.stopwatch();
  const isOfUse = (raw: KubeObject): boolean => mayNeedUs(env, dialect, raw);
  const { items } = await env.management.list(resourceOf(dialect, version), selection, isOfUse);
  return items.map((raw) => ({ raw, age }));
}

/** Living Machines that lack nothing are the most by far, and a large fleet of them is more than a process can hold. */
function mayNeedUs({ memory }: Environment, dialect: Dialect, raw: KubeObject): boolean {
  const { metadata } = raw;
  if (metadata.deletionTimestamp !== undefined) return true;
  if (!dialect.tendsLiving) return metadata.finalizers?.includes(dialect.finalizer) !== true;
  return !memory.inStep.has(raw);
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
