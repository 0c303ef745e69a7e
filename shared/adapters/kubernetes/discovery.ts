import * as z from 'zod';
import type { Resource } from '../../kubernetes/client.ts';
import type { Clock, Stopwatch } from '../../time/clock.ts';
import {
  discoveryRequest,
  type Overview,
  type Plurals,
  parsed,
  readOverview,
  type ServedGroup,
} from './overview.ts';
import { askAndRead } from './read-response.ts';
import { type Transport, versionPath } from './request.ts';

const keptMilliseconds = 10 * 60_000;
/** A group or kind that was missing may have been installed just now. */
const absenceKeptMilliseconds = 5_000;

const groupSchema = z.looseObject({
  versions: z.array(z.looseObject({ version: z.string() })),
  preferredVersion: z.looseObject({ version: z.string() }).optional(),
});
const groupListSchema = z.looseObject({ groups: z.array(z.looseObject({ name: z.string() })) });
const resourceListSchema = z.looseObject({
  resources: z.array(z.looseObject({ name: z.string(), kind: z.string() })),
});

interface Discovery {
  find(group: string, kind: string, version?: string, absence?: 'kept'): Promise<Resource | undefined>;
}

/** Asks the API which resource serves a kind. Throws Unavailable unless the API itself says that none does. */
export function createDiscovery(transport: Transport, clock: Clock): Discovery {
  const overviews = createCache<Overview>(clock);
  const versions = createCache<string[]>(clock);
  const plurals = createCache<Plurals>(clock);

  /** Undefined where the answer has to be younger than an overview may be, too. */
  async function inOverview(group: string, maxAge: number): Promise<ServedGroup | undefined> {
    if (group === '' || maxAge < keptMilliseconds) return undefined;
    return (await overviews('', maxAge, () => readOverview(transport)))?.get(group);
  }

  async function pluralsOf(group: string, version: string, maxAge: number): Promise<Plurals | undefined> {
    const known = (await inOverview(group, maxAge))?.get(version);
    return known ?? plurals(`${group}/${version}`, maxAge, () => readPlurals(transport, group, version));
  }

  async function versionsOf(group: string, maxAge: number): Promise<string[] | undefined> {
    const known = await inOverview(group, maxAge);
    return known === undefined
      ? versions(group, maxAge, () => readVersions(transport, group))
      : [...known.keys()];
  }

  async function findIn(group: string, kind: string, candidates: string[]): Promise<Resource | undefined> {
    for (const version of candidates) {
      const known = (await pluralsOf(group, version, keptMilliseconds))?.get(kind);
      const plural = known ?? (await pluralsOf(group, version, absenceKeptMilliseconds))?.get(kind);
      if (plural !== undefined) return { group, version, plural };
    }
    return undefined;
  }

  async function isServed(group: string, version: string): Promise<boolean> {
    if ((await versionsOf(group, keptMilliseconds))?.includes(version)) return true;
    return (await versionsOf(group, absenceKeptMilliseconds))?.includes(version) === true;
  }

  /** Whether an overview that may be ten minutes old has all groups, and not this kind. */
  async function isKnownAbsent(group: string, kind: string): Promise<boolean> {
    const overview = await overviews('', keptMilliseconds, () => readOverview(transport));
    if (overview === undefined || overview.size === 0) return false;
    return ![...(overview.get(group)?.values() ?? [])].some((kinds) => kinds.has(kind));
  }

  return {
    async find(group, kind, version, absence) {
      if (absence === 'kept' && (await isKnownAbsent(group, kind))) return undefined;
      if (version !== undefined) {
        return (await isServed(group, version)) ? findIn(group, kind, [version]) : undefined;
      }
      // A kind may live in an older version of its group only: the preferred one comes first, then the others.
      return findIn(group, kind, (await versionsOf(group, keptMilliseconds)) ?? []);
    },
  };
}

/** Keeps answers, never failures; requests under way are shared. `undefined` counts as absence and ages fast. */
function createCache<T>(clock: Clock) {
  const entries = new Map<string, { age: Stopwatch; value: Promise<T | undefined>; absent: boolean }>();
  return (key: string, maxAge: number, read: () => Promise<T | undefined>): Promise<T | undefined> => {
    const kept = entries.get(key);
    const limit = kept?.absent === true ? Math.min(maxAge, absenceKeptMilliseconds) : maxAge;
    if (kept !== undefined && kept.age() < limit) return kept.value;
    const entry = { age: clock.stopwatch(), value: read(), absent: false };
    entries.set(key, entry);
    void settle(entry).catch(() => entries.get(key) === entry && entries.delete(key));
    return entry.value;
  };
}

async function settle<T>(entry: { value: Promise<T | undefined>; absent: boolean }): Promise<void> {
  entry.absent = (await entry.value) === undefined;
}

/** The group's versions, preferred one first. */
async function readVersions(transport: Transport, group: string): Promise<string[] | undefined> {
  if (group === '') return ['v1'];
  const request = discoveryRequest(`/apis/${group}`);
  const answer = await askAndRead(transport, request);
  if (answer.code === 404 && !(await groupNames(transport)).includes(group)) return undefined;
  const { versions, preferredVersion } = parsed(groupSchema, transport, request, answer);
  const all = versions.map(({ version }) => version);
  const preferred = preferredVersion?.version;
  return preferred === undefined ? all : [preferred, ...all.filter((version) => version !== preferred)];
}

/** An unknown group is a bare 404, which a proxy may answer too. Only the list of all groups proves it missing. */
async function groupNames(transport: Transport): Promise<string[]> {
  const request = discoveryRequest('/apis');
  const { groups } = parsed(groupListSchema, transport, request, await askAndRead(transport, request));
  return groups.map(({ name }) => name);
}

async function readPlurals(transport: Transport, group: string, version: string): Promise<Plurals> {
  const request = discoveryRequest(versionPath(group, version));
  const { resources } = parsed(resourceListSchema, transport, request, await askAndRead(transport, request));
  const whole = resources.filter(({ name }) => !name.includes('/'));
  return new Map(whole.map(({ kind, name }) => [kind, name]));
}
