import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { hasExpired } from '../../store/retention.ts';
import { type Item, numberOf, text } from './attributes.ts';
import type { Connection } from './connection.ts';
import { partitionOf } from './keys.ts';

/** All pages, or the first `limit` items. */
export async function queryItems(
  connection: Connection,
  query: Omit<QueryCommandInput, 'TableName' | 'Limit' | 'ExclusiveStartKey'>,
  limit = Infinity,
): Promise<Item[]> {
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const input: QueryCommandInput = { ...query, TableName: connection.table };
    if (start !== undefined) input.ExclusiveStartKey = start;
    if (limit !== Infinity) input.Limit = limit - items.length;
    const page = await connection.call((client, options) => client.send(new QueryCommand(input), options));
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start !== undefined && items.length < limit);
  return items;
}

/** A Machine's items of one kind, as last written and without those that have expired. */
export async function itemsOf(connection: Connection, machineUid: string, prefix: string): Promise<Item[]> {
  const items = await queryItems(connection, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': text(partitionOf(machineUid)), ':prefix': text(prefix) },
    ConsistentRead: true,
  });
  const now = connection.clock.now();
  return items.filter((item) => !hasExpired(numberOf(item['expires']) ?? Infinity, now));
}
