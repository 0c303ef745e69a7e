import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listenLocally } from '../../../infra/local/kubernetes/server/listen.ts';
import { startDynamoDb } from '../../../infra/local/store/dynamodb.ts';
import { createStoreClient } from '../../../shared/adapters/dynamodb/client.ts';
import { createDynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import type { Clue } from '../../../shared/store/clue.ts';
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

test('who reads histories and next looks needs all that the policy for that allows, and that is no more than to query the table', async () => {
  const engine = await startDynamoDb();
  const [setUp, reader] = [engine, engine].map(({ endpoint }) => createStoreClient({ endpoint }));
  if (setUp === undefined || reader === undefined) throw new Error('there are two clients');
  onTestFinished(() => {
    setUp.destroy();
    reader.destroy();
    return engine.close();
  });
  await createDynamoStore({ client: setUp, table: 'phaseout', clock: systemClock }).ensureTable();
  const needed = permissionsOf(reader);
  const archive = createDynamoStore({ client: reader, table: 'phaseout', clock: systemClock });
  await archive.history('uid-1');
  await archive.podRecords('uid-1');
  const clues: Clue[] = [
    { kind: 'uid', uid: 'uid-1' },
    { kind: 'name', namespace: 'fleet', name: 'worker-1' },
    { kind: 'node', node: 'node-1' },
    { kind: 'pod', namespace: 'shop', name: 'web-1' },
    { kind: 'since', at: systemClock.now() },
  ];
  for (const clue of clues) await archive.machinesBy(clue);
  await archive.due(systemClock.now(), 1);
  expect([...needed]).toEqual([
    'dynamodb:Query arn:aws:dynamodb:*:*:table/phaseout',
    'dynamodb:Query arn:aws:dynamodb:*:*:table/phaseout/index/due',
  ]);
  expect(allowedBy('reader-policy.json')).toEqual([...needed]);
});

test('where the table is there as it should be, it only looks', async () => {
  const needed = await neededWith({ DescribeTable: [active], DescribeTimeToLive: [withTimeToLive] });
  expect(needed).toEqual([
    'dynamodb:DescribeTable arn:aws:dynamodb:*:*:table/phaseout',
    'dynamodb:DescribeTimeToLive arn:aws:dynamodb:*:*:table/phaseout',
  ]);
});
