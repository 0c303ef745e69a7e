import { type HookRecord, mergedRecord, turnKey } from '../machine/hook-record.ts';
import type { Cache } from './cache.ts';

/** Remembers a call, or an answer, of a DeletionHook's turn. */
export function rememberHook(cache: Cache, machineUid: string, record: HookRecord): void {
  const known = cache.notes(machineUid).hooks ?? new Map<string, HookRecord>();
  cache.note(machineUid, { hooks: new Map([...known, [turnKey(record), withKnown(known, record)]]) });
}

/** What the store remembers of the Machine's turns, with what this instance does. */
export function withRemembered(
  cache: Cache,
  machineUid: string,
  stored: readonly HookRecord[],
): readonly HookRecord[] {
  const known = cache.notes(machineUid).hooks ?? new Map<string, HookRecord>();
  const all = new Map([
    ...known,
    ...stored.map((record) => [turnKey(record), withKnown(known, record)] as const),
  ]);
  return [...all.values()];
}

function withKnown(known: ReadonlyMap<string, HookRecord>, record: HookRecord): HookRecord {
  const before = known.get(turnKey(record));
  return before === undefined ? record : mergedRecord(before, record);
}
