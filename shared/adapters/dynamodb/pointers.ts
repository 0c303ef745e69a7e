import { PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { forEachLimited } from '../../async/parallel.ts';
import type { MachineRef } from '../../machine/machine.ts';
import { dayOf, pointerRetentionSeconds } from '../../store/clue.ts';
import { StoreUnavailable } from '../../store/port.ts';
import { expiryOf } from '../../store/retention.ts';
import { type Item, number, pointerKey, toMachineAttribute } from './attributes.ts';
import type { Connection } from './connection.ts';

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
