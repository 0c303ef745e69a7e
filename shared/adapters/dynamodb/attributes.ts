import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { MachineRef } from '../../machine/machine.ts';
import { shardOf } from '../../store/clue.ts';

export type Item = Record<string, AttributeValue>;

export const text = (value: string): AttributeValue => ({ S: value });

export const number = (value: number): AttributeValue => ({ N: String(value) });

/** Undefined for a set without members, which no item may have. */
export const texts = (values: readonly string[]): AttributeValue | undefined =>
  values.length === 0 ? undefined : { SS: [...new Set(values)] };

export const map = (item: Item): AttributeValue => ({ M: item });

export const textOf = (attribute: AttributeValue | undefined): string | undefined => attribute?.S;

export const numberOf = (attribute: AttributeValue | undefined): number | undefined =>
  attribute?.N === undefined ? undefined : Number(attribute.N);

export const textsOf = (attribute: AttributeValue | undefined): readonly string[] => attribute?.SS ?? [];

const longestText = 8_000;

/** An item has room for 400 KB; one message that is longer must not make its write fail for ever. */
export const message = (value: string): AttributeValue =>
  text(value.length <= longestText ? value : `${value.slice(0, longestText - 1)}…`);

export const toMachineAttribute = (machine: MachineRef): AttributeValue =>
  map({
    apiVersion: text(machine.apiVersion),
    namespace: text(machine.namespace),
    name: text(machine.name),
    uid: text(machine.uid),
  });

export function fromMachineAttribute(attribute: AttributeValue | undefined): MachineRef | undefined {
  const apiVersion = textOf(attribute?.M?.['apiVersion']);
  const namespace = textOf(attribute?.M?.['namespace']);
  const name = textOf(attribute?.M?.['name']);
  const uid = textOf(attribute?.M?.['uid']);
  if (apiVersion === undefined || namespace === undefined || name === undefined || uid === undefined)
    return undefined;
  return { apiVersion, namespace, name, uid };
}

export const podPrefix = 'pod#';
export const historyPrefix = 'history#';
export const hookPrefix = 'hook#';

export const machinePrefix = 'machine#';

export const partitionOf = (machineUid: string): string => `${machinePrefix}${machineUid}`;

export const podKey = (machineUid: string, podUid: string): Item => key(machineUid, `${podPrefix}${podUid}`);

export const historyKey = (machineUid: string, id: string): Item => key(machineUid, `${historyPrefix}${id}`);

export const hookKey = (machineUid: string, turn: string): Item => key(machineUid, `${hookPrefix}${turn}`);

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

// With fewer shards than when a table was written, looks in the other shards would not be found.
const shardCount = 16;

/** All shards of the index of due looks. One partition would take every write of a cluster that scales down. */
export const dueShards: readonly string[] = Array.from({ length: shardCount }, (_, shard) => `due#${shard}`);

/** Always the same shard for a Machine, so that its look never is in two. */
export const dueShardOf = (machineUid: string): string => `due#${shardOf(machineUid, shardCount)}`;
