import { createServer, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { listenLocally } from '../../../infra/local/kubernetes/server/listen.ts';
import { createStoreClient } from '../../../shared/adapters/dynamodb/client.ts';
import { createDynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import type { StoreFault } from './faults.ts';
import { aLook, openStore } from './open-store.ts';

interface Outcome {
  sent: number;
  /** The name of the error, if the call failed. */
  failure: string | undefined;
}

const failureIn = (error: unknown): string | undefined => /phaseout: (\w+):/.exec(String(error))?.[1];

/** Of the SDK itself, against a server that goes wrong for the first so many requests. */
async function outcomeOfSdk(goWrong: (response: ServerResponse) => void, times: number): Promise<Outcome> {
  let sent = 0;
  const server = createServer((_, response) => {
    sent += 1;
    if (sent <= times) goWrong(response);
    else response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}');
  });
  const client = createStoreClient({ endpoint: await listenLocally(server) });
  const store = createDynamoStore({ client, table: 'phaseout', clock: systemClock });
  const failure = await store.schedule(aLook()).then(() => undefined, failureIn);
  client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return { sent, failure };
}

async function outcomeOfSimulation(fault: StoreFault, times: number): Promise<Outcome> {
  const { dynamo, labels, inTime } = openStore(Array.from({ length: times }, () => fault));
  const { answer } = await inTime(() => dynamo.schedule(aLook()).then(() => undefined, failureIn));
  return { sent: labels.length, failure: answer };
}

const answerWith =
  (status: number, type: string) =>
  (response: ServerResponse): void => {
    const body = JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: '' });
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
  };

const rows: [fault: StoreFault, goWrong: (response: ServerResponse) => void, failure: string][] = [
  [{ reset: 'after the effect' }, (response) => response.destroy(), 'TimeoutError'],
  ['server error', answerWith(500, 'InternalServerError'), 'InternalServerError'],
  [
    'throttled',
    answerWith(400, 'ProvisionedThroughputExceededException'),
    'ProvisionedThroughputExceededException',
  ],
];

test.each(rows)('the SDK itself sends a call as often when it meets: %j', async (fault, goWrong, failure) => {
  const [once, twice] = await Promise.all([outcomeOfSdk(goWrong, 1), outcomeOfSdk(goWrong, 2)]);
  expect(once).toEqual({ sent: 2, failure: undefined });
  expect(twice).toEqual({ sent: 2, failure });
  expect(await outcomeOfSimulation(fault, 1)).toEqual(once);
  expect(await outcomeOfSimulation(fault, 2)).toEqual(twice);
});
