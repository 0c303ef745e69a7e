import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listenLocally } from '../../../infra/local/kubernetes/server/listen.ts';
import { createStoreClient } from '../../../shared/adapters/dynamodb/client.ts';
import { createDynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { allowedBy, permissionsOf } from './policy.ts';

type Answer = [status: number, body: object];

const missing: Answer = [400, { __type: 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException' }];
const active: Answer = [200, { Table: { TableStatus: 'ACTIVE' } }];
const withoutTimeToLive: Answer = [200, { TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } }];
const withTimeToLive: Answer = [200, { TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED' } }];

/** The permissions that the set-up needs where its calls are answered so, each for the last time over and over. */
async function neededWith(answers: Record<string, Answer[]>): Promise<string[]> {
  const server = createServer((request, response) => {
    const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
    const left = answers[operation] ?? [];
    const [status, body] = (left.length > 1 ? left.shift() : left[0]) ?? [200, {}];
    request.resume();
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  });
  const client = createStoreClient({ endpoint: await listenLocally(server) });
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  const needed = permissionsOf(client);
  await createDynamoStore({ client, table: 'phaseout', clock: systemClock }).ensureTable();
  return [...needed].toSorted();
}

test('the set-up of a table that is not there needs all that its policy allows', async () => {
  const answers = { DescribeTable: [missing, active], DescribeTimeToLive: [withoutTimeToLive] };
  expect(await neededWith(answers)).toEqual(allowedBy('setup-policy.json'));
});

test('where the table is there as it should be, it only looks', async () => {
  const needed = await neededWith({ DescribeTable: [active], DescribeTimeToLive: [withTimeToLive] });
  expect(needed).toEqual([
    'dynamodb:DescribeTable arn:aws:dynamodb:*:*:table/phaseout',
    'dynamodb:DescribeTimeToLive arn:aws:dynamodb:*:*:table/phaseout',
  ]);
});
