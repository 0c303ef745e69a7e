import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { forEachLimited } from '../../async/parallel.ts';
import type { MachineRef } from '../../machine/machine.ts';
import { inOrder, nodeOf, placesOf } from '../../store/clue.ts';
import type { HistoryEntry } from '../../store/port.ts';
import { expiryOf } from '../../store/retention.ts';
import {
  fromMachineAttribute,
  historyKey,
  historyPrefix,
  type Item,
  machinePrefix,
  message,
  number,
  numberOf,
  text,
  textOf,
  toMachineAttribute,
} from './attributes.ts';
import { type Connection, itemsIn, itemsOf } from './connection.ts';
import { Pointers } from './pointers.ts';

interface Appending {
  machine: MachineRef;
  pointers: Pointers;
  retentionSeconds: number;
}

export async function appendEntries(
  connection: Connection,
  entries: HistoryEntry[],
  to: Appending,
): Promise<void> {
  const first = new Map(entries.toReversed().map((entry) => [entry.id, entry]));
  const places = entries.length === 0 ? [] : placesOf(to.machine, nodeOf(entries), connection.clock.now());
  const writes = [
    ...[...first.values()].map((entry) => () => appendEntry(connection, entry, to)),
    () => to.pointers.point(places, to.machine),
  ];
  await forEachLimited(writes, (write) => write());
}

async function appendEntry(connection: Connection, entry: HistoryEntry, to: Appending): Promise<void> {
  const now = connection.clock.now();
  const command = new PutItemCommand({
    TableName: connection.table,
    Item: { ...toHistoryItem(to.machine, entry), expires: number(expiryOf(now, to.retentionSeconds)) },
    // The first write stays: a repeated one may come from a later look, with another time and instance.
    ConditionExpression: 'attribute_not_exists(pk) OR expires <= :now',
    ExpressionAttributeValues: { ':now': number(now / 1000) },
  });
  await connection.write(command);
}

export async function entriesOf(connection: Connection, machineUid: string): Promise<HistoryEntry[]> {
  const items = await itemsOf(connection, machineUid, historyPrefix);
  return inOrder(items.map(fromHistoryItem).filter((entry) => entry !== undefined));
}

/** The Machine of that UID as its last entry names it. */
export async function machineOf(connection: Connection, machineUid: string): Promise<MachineRef[]> {
  const items = await itemsOf(connection, machineUid, historyPrefix);
  return machinesIn(items).slice(-1);
}

const machinesIn = (items: readonly Item[]): MachineRef[] =>
  items.map(({ machine }) => fromMachineAttribute(machine)).filter((machine) => machine !== undefined);

/** Each entry keeps the Machine's name, for readers of the table after the Machine is gone. */
const toHistoryItem = (machine: MachineRef, entry: HistoryEntry): Item => ({
  ...historyKey(machine.uid, entry.id),
  machine: toMachineAttribute(machine),
  at: number(entry.at),
  phase: text(entry.phase),
  what: text(entry.what),
  reason: text(entry.reason),
  message: message(entry.message),
  by: text(entry.by),
  ...(entry.node === undefined ? {} : { node: text(entry.node) }),
});

function fromHistoryItem(item: Item): HistoryEntry | undefined {
  const id = textOf(item['sk'])?.slice(historyPrefix.length);
  const at = numberOf(item['at']);
  const what = whats.find((known) => known === textOf(item['what']));
  if (id === undefined || at === undefined || what === undefined) return undefined;
  const words = (name: string): string => textOf(item[name]) ?? '';
  const node = textOf(item['node']);
  return {
    at,
    id,
    phase: words('phase'),
    what,
    reason: words('reason'),
    message: words('message'),
    by: words('by'),
    ...(node !== undefined && { node }),
  };
}

const whats = [
  'started',
  'acted',
  'waited',
  'advanced',
  'halted',
  'completed',
] as const satisfies HistoryEntry['what'][];

/** The Machines that pointers at these places lead to, each once. */
export async function machinesAt(connection: Connection, places: readonly string[]): Promise<MachineRef[]> {
  const items = await forEachLimited(places, (place) => itemsIn(connection, place, machinePrefix));
  return [...new Map(machinesIn(items.flat()).map((machine) => [machine.uid, machine])).values()];
}
