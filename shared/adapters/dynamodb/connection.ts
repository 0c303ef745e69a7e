import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { withinDeadline } from '../../async/with-timeout.ts';
import { StoreUnavailable } from '../../store/port.ts';
import type { Clock } from '../../time/clock.ts';
import type { Item } from './attributes.ts';
import { createTable, type TableSetUp } from './create-table.ts';
import { reasonOf } from './error-message.ts';
import type { Send, TableClient, Written } from './table-client.ts';

export interface ConnectionOptions {
  client: TableClient;
  table: string;
  clock: Clock;
  /** For one call, its retry included. */
  timeoutMilliseconds: number;
}

/** Whether a condition held. */
interface Conditional {
  isMet: boolean;
  item?: Item | undefined;
}

/** One table: each call has a deadline, and every failure is a StoreUnavailable. */
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

  async call<T>(send: Send<T>): Promise<T> {
    try {
      return await this.#send(send);
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  /** For a write with a condition: whether the condition held. */
  async callIf(send: Send<Written>): Promise<boolean> {
    return (await this.callOn(send)).isMet;
  }

  /** The same, with what was there before, or is there, where the command asks for it. */
  async callOn(send: Send<Written>): Promise<Conditional> {
    return this.call((client, options) =>
      send(client, options).then(
        ({ Attributes }) => ({ isMet: true, item: Attributes }),
        (error: unknown) => {
          if (error instanceof ConditionalCheckFailedException) return { isMet: false, item: error.Item };
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

  async #send<T>(send: Send<T>): Promise<T> {
    const { client, clock, timeoutMilliseconds } = this.#options;
    // Where there are none the search for credentials may hang, and it is not the table that does not answer then.
    let awaited = 'credentials';
    const run = async (abortSignal: AbortSignal): Promise<T> => {
      await client.config.region();
      await client.config.credentials();
      awaited = 'answer';
      return send(client, { abortSignal });
    };
    return withinDeadline(
      clock,
      timeoutMilliseconds,
      run,
      () => new Error(`no ${awaited} within ${timeoutMilliseconds} ms`),
    );
  }

  #unavailable(error: unknown): StoreUnavailable {
    if (error instanceof StoreUnavailable) return error;
    return new StoreUnavailable(`DynamoDB table ${this.table}: ${reasonOf(error)}`, error);
  }
}
