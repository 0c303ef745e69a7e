import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { hasExpired } from '../../store/retention.ts';
import { type Item, numberOf, text } from './attributes.ts';
import type { Connection } from './connection.ts';
import { partitionOf } from './keys.ts';

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
