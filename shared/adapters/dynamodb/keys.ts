import { shardOf } from '../../store/shard.ts';
import type { Item } from './attributes.ts';
import { text } from './attributes.ts';

export const podPrefix = 'pod#';
export const historyPrefix = 'history#';

export const machinePrefix = 'machine#';

export const partitionOf = (machineUid: string): string => `${machinePrefix}${machineUid}`;

export const podKey = (machineUid: string, podUid: string): Item => key(machineUid, `${podPrefix}${podUid}`);

export const historyKey = (machineUid: string, id: string): Item => key(machineUid, `${historyPrefix}${id}`);

export const dueSortKey = 'due';

export const dueKey = (machineUid: string): Item => key(machineUid, dueSortKey);

/** Of a pointer that stands at a place. */
export const pointerKey = (place: string, machineUid: string): Item => ({
  pk: text(place),
  sk: text(partitionOf(machineUid)),
});

const key = (machineUid: string, sortKey: string): Item => ({
  pk: text(partitionOf(machineUid)),
  sk: text(sortKey),
});

// With fewer shards than a table in use was written with, looks in the shards left out would not be found.
const shardCount = 16;

/** All shards of the index of due looks. One partition would take every write of a cluster that scales down. */
export const dueShards: readonly string[] = Array.from({ length: shardCount }, (_, shard) => `due#${shard}`);

/** Always the same shard for a Machine, so that its look never is in two. */
export const dueShardOf = (machineUid: string): string => `due#${shardOf(machineUid, shardCount)}`;
