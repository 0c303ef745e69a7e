import type { MachineRef } from '../machine/machine.ts';
import type { Instant } from '../time/clock.ts';
import type { HistoryEntry, Store } from './port.ts';
import { historyRetentionSeconds } from './retention.ts';

/** What leads to histories. `since` leads to what has an entry from then on. */
export type Clue =
  | { kind: 'uid'; uid: string }
  | { kind: 'name'; namespace: string; name: string }
  | { kind: 'node'; node: string }
  | { kind: 'pod'; namespace: string; name: string }
  | { kind: 'since'; at: Instant };

/**
 * What a store keeps of deletions, for later readers. An answer is what was kept, never made up: a store that does not
 * answer throws StoreUnavailable.
 */
export interface Archive extends Pick<Store, 'history' | 'podRecords'> {
  /**
   * The Machines with a history that the clue leads to, each once. `since` may also lead to one whose last entry was earlier on
   * the same day. What a version without pointers has written is found by its UID only.
   */
  machinesBy(clue: Clue): Promise<MachineRef[]>;
}

const daySeconds = 24 * 60 * 60;

/** A pointer is written once a day while there is something to point to. So it outlives what it points to. */
export const pointerRetentionSeconds = (historySeconds = historyRetentionSeconds): number =>
  historySeconds + daySeconds;

/** The Node that entries of a Machine name. */
export const nodeOf = (entries: readonly HistoryEntry[]): string | undefined =>
  entries.findLast(({ node }) => node !== undefined)?.node;

/** The places where pointers stand to what a Machine has a history of. */
export const placesOf = (machine: MachineRef, node: string | undefined, now: Instant): string[] => [
  namePlace(machine),
  dayPlace(dayOf(now), shardOf(machine.uid, dayShards.length)),
  ...(node === undefined ? [] : [nodePlace(node)]),
];

/** The place where a pointer stands to what a Pod was evicted for. */
export const podPlace = ({ namespace, name }: { namespace: string; name: string }): string =>
  `pod#${namespace}/${name}`;

/** The places that a clue names; a UID needs none. */
export function placesBy(clue: Exclude<Clue, { kind: 'uid' }>, now: Instant): string[] {
  if (clue.kind === 'name') return [namePlace(clue)];
  if (clue.kind === 'node') return [nodePlace(clue.node)];
  if (clue.kind === 'pod') return [podPlace(clue)];
  return daysSince(clue.at, now).flatMap((day) => dayShards.map((shard) => dayPlace(day, shard)));
}

const namePlace = ({ namespace, name }: { namespace: string; name: string }): string =>
  `name#${namespace}/${name}`;

const nodePlace = (node: string): string => `node#${node}`;

const dayPlace = (day: string, shard: number): string => `day#${day}#${shard}`;

/** One partition would take a write of every Machine of a day. A pointer is only found in the shard that it was written to. */
const dayShards = [0, 1, 2, 3] as const;

const dayMilliseconds = daySeconds * 1_000;

/** In UTC, as `2026-11-27`. */
export const dayOf = (at: Instant): string => new Date(at).toISOString().slice(0, 10);

/** No pointer is kept for longer. */
const mostDays = pointerRetentionSeconds() / daySeconds + 1;

function daysSince(since: Instant, now: Instant): string[] {
  const first = Math.max(since, now - mostDays * dayMilliseconds);
  const count = Math.floor(now / dayMilliseconds) - Math.floor(first / dayMilliseconds) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => dayOf(first + index * dayMilliseconds));
}

/** The shard of a key, of so many. It is the same in every version: a reader looks where the writer wrote. */
export function shardOf(key: string, count: number): number {
  let hash = 0;
  for (const byte of new TextEncoder().encode(key)) hash = (Math.imul(hash, 31) + byte) >>> 0;
  return hash % count;
}

/** By id and not by time, since the clocks of two instances differ; digits count as numbers. */
export function inOrder(entries: HistoryEntry[]): HistoryEntry[] {
  const collator = new Intl.Collator('en', { numeric: true });
  return entries.toSorted((one, other) => collator.compare(one.id, other.id));
}
