import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { createDynamoStore } from '../../../../shared/adapters/dynamodb/store.ts';
import type { TableClient } from '../../../../shared/adapters/dynamodb/table-client.ts';
import { manualClock } from '../kubernetes/manual-clock.ts';

/** DynamoDB's only word for the end is that there is no LastEvaluatedKey: a page may be empty before. */
test('an empty page is not the last one where it says that there are more', async () => {
  const clock = manualClock();
  const key = { pk: { S: 'machine#uid-1' }, sk: { S: 'history#1' } };
  const entry = {
    ...key,
    at: { N: String(clock.now()) },
    phase: { S: 'drain' },
    what: { S: 'acted' },
    reason: { S: 'DrainingNode' },
    message: { S: 'said' },
    by: { S: 'a' },
  };
  const pages: QueryCommandOutput[] = [
    { $metadata: {}, Items: [], LastEvaluatedKey: key },
    { $metadata: {}, LastEvaluatedKey: key },
    { $metadata: {}, Items: [entry] },
  ];
  const client: TableClient = {
    config: { region: async () => 'here', credentials: async () => ({}) },
    send: async (command: unknown): Promise<QueryCommandOutput> =>
      (command instanceof QueryCommand ? pages.shift() : undefined) ?? { $metadata: {} },
  };
  const store = createDynamoStore({ client, table: 'phaseout', clock });
  expect((await store.history('uid-1')).map(({ what }) => what)).toEqual(['acted']);
});
