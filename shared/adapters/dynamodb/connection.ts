import {
  ConditionalCheckFailedException,
  QueryCommand,
  type QueryCommandInput,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { withinDeadline } from '../../async/timeout.ts';
import { StoreUnavailable } from '../../store/port.ts';
import { hasExpired } from '../../store/retention.ts';
import type { Clock } from '../../time/clock.ts';
import { type Item, numberOf, partitionOf, text } from './attributes.ts';
import { createTable, type TableSetUp } from './create-table.ts';
import type { Send, TableClient, WriteCommand } from './table-client.ts';

interface ConnectionOptions {
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

  /** Whether the condition held, with what was there before, or is there, where the command asks for it. */
  async write(command: WriteCommand): Promise<Conditional> {
    return this.call((client, options) =>
      client.send(command, options).then(
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
    // Where there are no credentials the search for them may hang. Then it is not the table that does not answer.
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

/** Why a call failed, for people: what they have to set or to create where that is known. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A refused connection has its reason in `code` or, with several addresses, only in the inner errors.
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (error instanceof ResourceNotFoundException) return missingTable;
  if (error.message === 'Region is missing') return missingRegion;
  return error.name === 'Error' ? error.message : `${error.name}: ${error.message}`;
}

const missingTable =
  'it is not there, or not yet, in this account and region; the image creates it when it is run with the argument "table"';
const missingRegion = 'no region is set: AWS_REGION, or the endpoint of a store that is not AWS';

type Query = Omit<QueryCommandInput, 'TableName' | 'Limit' | 'ExclusiveStartKey'>;

/** From where on, and at most how many. */
interface Stretch {
  start: Item | undefined;
  limit?: number;
}

/** A page may be empty and not the last one: only without a `next` it is. */
interface Page {
  items: Item[];
  next: Item | undefined;
}

export async function queryPage(
  connection: Connection,
  query: Query,
  { start, limit }: Stretch,
): Promise<Page> {
  const input: QueryCommandInput = { ...query, TableName: connection.table };
  if (start !== undefined) input.ExclusiveStartKey = start;
  if (limit !== undefined) input.Limit = limit;
  const page = await connection.call((client, options) => client.send(new QueryCommand(input), options));
  return { items: page.Items ?? [], next: page.LastEvaluatedKey };
}

/** All pages. */
async function queryItems(connection: Connection, query: Query): Promise<Item[]> {
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const page = await queryPage(connection, query, { start });
    items.push(...page.items);
    start = page.next;
  } while (start !== undefined);
  return items;
}

/** A Machine's items of one kind, as last written and without those that have expired. */
export const itemsOf = (connection: Connection, machineUid: string, prefix: string): Promise<Item[]> =>
  itemsIn(connection, partitionOf(machineUid), prefix);

/** The items of a partition whose sort keys begin so; otherwise as `itemsOf`. */
export async function itemsIn(connection: Connection, partition: string, prefix: string): Promise<Item[]> {
  const items = await queryItems(connection, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': text(partition), ':prefix': text(prefix) },
    ConsistentRead: true,
  });
  const now = connection.clock.now();
  return items.filter((item) => !hasExpired(numberOf(item['expires']) ?? Infinity, now));
}
