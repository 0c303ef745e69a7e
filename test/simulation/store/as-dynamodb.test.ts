import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalDynamoDb, startDynamoDb } from '../../../infra/local/store/dynamodb.ts';
import type { Item } from '../../../shared/adapters/dynamodb/attributes.ts';
import { createStoreClient } from '../../../shared/adapters/dynamodb/client.ts';
import { createDynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import type { TableClient } from '../../../shared/adapters/dynamodb/table-client.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { type AnyCommand, aCommand, aQuery } from './any-command.ts';
import { createSimulatedStoreClient } from './client.ts';
import { createSimulatedTable } from './table.ts';

let engine: LocalDynamoDb;
let embedded: ReturnType<typeof createStoreClient>;

beforeAll(async () => {
  engine = await startDynamoDb();
  embedded = createStoreClient({ endpoint: engine.endpoint });
  await createDynamoStore({ client: embedded, table: 'phaseout', clock: systemClock }).ensureTable();
});

afterAll(async () => {
  embedded.destroy();
  await engine.close();
});

const aSimulatedClient = (): TableClient =>
  createSimulatedStoreClient(createSimulatedTable(), {
    clock: systemClock,
    step: () => Promise.resolve(),
    faults: () => 'none',
  });

const abortSignal = new AbortController().signal;

/** What is read, or was there before; or the name of the error, with what was there. */
function answerOf(client: TableClient, { send, input }: AnyCommand): Promise<unknown> {
  const { Items = [], ...fields } = input;
  const common = { TableName: 'phaseout', ...fields };
  const TransactItems = Items.map((Item) => ({ Put: { TableName: 'phaseout', Item } }));
  const answers: Record<AnyCommand['send'], () => Promise<object>> = {
    put: () => client.send(new PutItemCommand({ Item: {}, ...common }), { abortSignal }),
    update: () => client.send(new UpdateItemCommand({ Key: {}, ...common }), { abortSignal }),
    delete: () => client.send(new DeleteItemCommand({ Key: {}, ...common }), { abortSignal }),
    transact: () => client.send(new TransactWriteItemsCommand({ TransactItems }), { abortSignal }),
    query: () => client.send(new QueryCommand(common), { abortSignal }),
  };
  return answers[send]().then(answered, failed);
}

function answered(answer: object): unknown {
  const { Attributes, Items, LastEvaluatedKey }: Answered = answer;
  if (Items !== undefined) return { Items, LastEvaluatedKey };
  return Attributes === undefined ? 'done' : { Attributes };
}

interface Answered {
  Attributes?: Item;
  Items?: Item[];
  LastEvaluatedKey?: Item;
}

function failed(error: unknown): unknown {
  if (error instanceof ConditionalCheckFailedException && error.Item !== undefined)
    return { failedOver: error.Item };
  return error instanceof Error ? error.name : error;
}

test('whatever is sent in whatever order, it answers as the embedded DynamoDB does', async () => {
  let run = 0;
  const outcomes = new Set<unknown>();
  const property = fc.asyncProperty(
    fc.array(fc.oneof(aCommand, aQuery), { minLength: 1, maxLength: 24, size: 'max' }),
    async (commands) => {
      run += 1;
      const simulated = aSimulatedClient();
      for (const command of commands.map((each) => each(`${run}`))) {
        const expected = await answerOf(embedded, command);
        expect({ command, answer: await answerOf(simulated, command) }).toEqual({
          command,
          answer: expected,
        });
        outcomes.add(typeof expected === 'string' ? expected : 'answered');
      }
    },
  );
  await fc.assert(property, { numRuns: 30 });
  // Otherwise too little would have been compared.
  expect(outcomes).toEqual(
    new Set(['done', 'answered', 'ConditionalCheckFailedException', 'ValidationException']),
  );
});
