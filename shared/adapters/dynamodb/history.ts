import { PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { forEachLimited } from '../../async/parallel.ts';
import type { MachineRef } from '../../machine/machine.ts';
import { dayOf, inOrder, nodeOf, placesOf, pointerRetentionSeconds } from '../../store/clue.ts';
import { type HistoryEntry, StoreUnavailable } from '../../store/port.ts';
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
  pointerKey,
  text,
  textOf,
  toMachineAttribute,
} from './attributes.ts';
import { type Connection, itemsIn, itemsOf } from './connection.ts';

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

/** A hundred Machines with their Pods. What is forgotten is only written once more. */
const mostRemembered = 5_000;

/** DynamoDB takes no more in one request. */
const mostAtOnce = 100;

/** Writes pointers from places to Machines, each once a day where this instance remembers it. */
export class Pointers {
  readonly #connection: Connection;
  readonly #retentionSeconds: number;
  readonly #written = new Set<string>();
  /** Since the engine has refused a transaction as unknown. */
  #isOneByOne = false;

  constructor(connection: Connection, historySeconds: number) {
    this.#connection = connection;
    this.#retentionSeconds = pointerRetentionSeconds(historySeconds);
  }

  /**
   * In one request, unless there are very many. Never fails: the write beside it shows whether the store answers. What
   * is not written now is written with what comes next.
   */
  async point(places: readonly string[], machine: MachineRef): Promise<void> {
    const now = this.#connection.clock.now();
    const nameOf = (place: string): string => `${dayOf(now)} ${place} ${machine.uid}`;
    const missing = [...new Set(places)].filter((place) => !this.#written.has(nameOf(place)));
    for (let next = 0; next < missing.length; next += mostAtOnce) {
      const some = missing.slice(next, next + mostAtOnce);
      const items = some.map((place) => ({
        ...pointerKey(place, machine.uid),
        machine: toMachineAttribute(machine),
        expires: number(expiryOf(now, this.#retentionSeconds)),
      }));
      if (!(await this.#areWritten(items))) return;
      for (const place of some) this.#remember(nameOf(place));
    }
  }

  async #areWritten(items: readonly Item[], isLast = false): Promise<boolean> {
    try {
      await this.#write(items);
      return true;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (isUnknown(error.cause)) this.#isOneByOne = true;
      else if (!isConflict(error.cause)) return false;
      return isLast ? false : this.#areWritten(items, true);
    }
  }

  async #write(items: readonly Item[]): Promise<void> {
    const puts = items.map((item) => ({ TableName: this.#connection.table, Item: item }));
    if (puts.length > 1 && !this.#isOneByOne) {
      const command = new TransactWriteItemsCommand({ TransactItems: puts.map((put) => ({ Put: put })) });
      await this.#connection.call((client, options) => client.send(command, options));
      return;
    }
    await forEachLimited(puts, (put) => this.#connection.write(new PutItemCommand(put)));
  }

  #remember(name: string): void {
    this.#written.add(name);
    if (this.#written.size <= mostRemembered) return;
    const [oldest = ''] = this.#written;
    this.#written.delete(oldest);
  }
}

/** Another instance writes one of these items just now. */
const isConflict = (cause: unknown): boolean =>
  cause instanceof Error && /^Transaction(?:Canceled|Conflict|InProgress)Exception$/.test(cause.name);

const isUnknown = (cause: unknown): boolean =>
  cause instanceof Error && cause.name === 'UnknownOperationException';

/** The Machines that pointers at these places lead to, each once. */
export async function machinesAt(connection: Connection, places: readonly string[]): Promise<MachineRef[]> {
  const items = await forEachLimited(places, (place) => itemsIn(connection, place, machinePrefix));
  return [...new Map(machinesIn(items.flat()).map((machine) => [machine.uid, machine])).values()];
}
