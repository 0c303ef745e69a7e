import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { listenLocally } from '../../../../infra/local/kubernetes/server/listen.ts';
import { createStoreClient } from '../../../../shared/adapters/dynamodb/client.ts';
import { createDynamoStore } from '../../../../shared/adapters/dynamodb/store.ts';
import { StoreUnavailable } from '../../../../shared/store/port.ts';
import { systemClock as clock } from '../../../../shared/time/clock.ts';

/** The changes that an existing table gets. `status` is that of its time to live, `refusal` the answer to a change. */
async function setUp(status: string, refusal?: string) {
  const changes: unknown[] = [];
  const answers: Record<string, object> = {
    DescribeTable: { Table: { TableStatus: 'ACTIVE' } },
    DescribeTimeToLive: { TimeToLiveDescription: { TimeToLiveStatus: status } },
    UpdateTimeToLive: refusal === undefined ? {} : { __type: refusal, message: 'no' },
  };
  const engine = createServer((request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    if (operation === 'UpdateTimeToLive') changes.push(json(request));
    else request.resume();
    const isRefused = operation === 'UpdateTimeToLive' && refusal !== undefined;
    response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(answers[operation]));
  });
  onTestFinished(() => engine.close().closeAllConnections());
  const client = createStoreClient({ endpoint: await listenLocally(engine) });
  onTestFinished(() => client.destroy());
  const done = await createDynamoStore({ client, table: 'phaseout', clock })
    .ensureTable()
    .catch((error: unknown) => error);
  return { done, changes: await Promise.all(changes) };
}

const enabling = {
  TableName: 'phaseout',
  TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
};

test.each([
  ['it is off', 'DISABLED', [enabling]],
  ['it is on', 'ENABLED', []],
  ['it is being switched on', 'ENABLING', []],
])('the time to live of a table is switched on where %s', async (_where, status, changes) => {
  expect(await setUp(status)).toEqual({ done: 'found', changes });
});

test('that somebody else has just done it is no failure', async () => {
  expect((await setUp('DISABLED', 'ValidationException')).done).toBe('found');
});

test('that it may not be done is one', async () => {
  expect((await setUp('DISABLED', 'AccessDeniedException')).done).toBeInstanceOf(StoreUnavailable);
});
