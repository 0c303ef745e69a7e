import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../clock.ts';
import { StoreUnavailable } from '../../store/port.ts';
import { createTable, type TableSetUp } from './create-table.ts';
import { withinDeadline } from './deadline.ts';

export interface ConnectionOptions {
  client: DynamoDBClient;
  table: string;
  clock: Clock;
  /** For one call, its retry included. */
  timeoutMilliseconds: number;
}

/** What a call sends, given the signal that ends it. */
export type Send<T> = (client: DynamoDBClient, options: { abortSignal: AbortSignal }) => Promise<T>;

/** One table: each call has a deadline, every failure is a StoreUnavailable, and a missing table is created. */
export class Connection {
  readonly table: string;
  readonly clock: Clock;
  readonly #options: ConnectionOptions;
  #creation: Promise<TableSetUp> | undefined;

  constructor(options: ConnectionOptions) {
    this.table = options.table;
    this.clock = options.clock;
    this.#options = options;
  }

  /** Asks first and creates the table when that fails: a table that is there costs no extra call. */
  async call<T>(send: Send<T>): Promise<T> {
    try {
      return await this.#send(send);
    } catch (error) {
      if (!(error instanceof ResourceNotFoundException)) throw this.#unavailable(error);
    }
    try {
      await this.#tableSoon();
      return await this.#send(send);
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  /** For a write with a condition: whether the condition held. */
  async callIf(send: Send<unknown>): Promise<boolean> {
    return this.call((client, options) =>
      send(client, options).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ConditionalCheckFailedException) return false;
          throw error;
        },
      ),
    );
  }

  /** Creates the table unless it is there, and waits until it can be used. All who ask meanwhile wait for one. */
  ensureTable(): Promise<TableSetUp> {
    this.#creation ??= createTable({ table: this.table, clock: this.clock, send: (send) => this.#send(send) })
      .catch((error: unknown) => {
        throw this.#unavailable(error);
      })
      .finally(() => {
        this.#creation = undefined;
      });
    return this.#creation;
  }

  /** AWS takes many seconds to create a table, and a deletion must not wait for that: it goes on in the background. */
  #tableSoon(): Promise<TableSetUp> {
    const { clock, timeoutMilliseconds } = this.#options;
    const whenLate = `it is still being created after ${timeoutMilliseconds} ms`;
    return withinDeadline(clock, timeoutMilliseconds, () => this.ensureTable(), whenLate);
  }

  #send<T>(send: Send<T>): Promise<T> {
    const { client, clock, timeoutMilliseconds } = this.#options;
    return withinDeadline(clock, timeoutMilliseconds, (abortSignal) => send(client, { abortSignal }));
  }

  #unavailable(error: unknown): StoreUnavailable {
    if (error instanceof StoreUnavailable) return error;
    return new StoreUnavailable(`DynamoDB table ${this.table}: ${reasonOf(error)}`, error);
  }
}

/** A refused connection has its reason in `code` or, with several addresses, only in the inner errors. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error.name === 'Error' ? error.message : `${error.name}: ${error.message}`;
}
