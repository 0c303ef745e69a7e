import * as aws from '@aws-sdk/client-dynamodb';
import { createDynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import type {
  CallOptions,
  TableClient,
  TableCommand,
} from '../../../shared/adapters/dynamodb/table-client.ts';
import type { Log } from '../../../shared/runtime/log.ts';
import { forgivingStore } from '../../../shared/store/best-effort.ts';
import type { Store } from '../../../shared/store/port.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { opened } from '../apis/opened.ts';
import { answer } from '../dynamodb/operations.ts';
import { Refusal } from '../dynamodb/refusal.ts';
import type { Tables } from '../dynamodb/tables.ts';
import { startDynamoDb } from './dynamodb.ts';

/**
 * Asks tables of this process without HTTP. The SDK's signing, serializing and connections were a third of what a
 * deletion cost here. Calls ran out of time in its queue.
 */
export const directClient = (tables: Tables): TableClient => ({
  config: { region: async () => 'us-east-1', credentials: async () => ({}) },
  async send(command: TableCommand, { abortSignal }: CallOptions) {
    abortSignal.throwIfAborted();
    try {
      const answered = answer(tables, operationOf(command), copyOf(command.input));
      return { $metadata: {}, ...copyOf(answered) };
    } catch (error) {
      throw error instanceof Refusal ? exceptionOf(error) : error;
    }
  },
});

/** As over the wire: without fields that are undefined, and nothing of the tables' own leaves them. */
const copyOf = (sent: object): object => JSON.parse(JSON.stringify(sent));

const operations = [
  [aws.PutItemCommand, 'PutItem'],
  [aws.UpdateItemCommand, 'UpdateItem'],
  [aws.DeleteItemCommand, 'DeleteItem'],
  [aws.TransactWriteItemsCommand, 'TransactWriteItems'],
  [aws.QueryCommand, 'Query'],
  [aws.CreateTableCommand, 'CreateTable'],
  [aws.DescribeTableCommand, 'DescribeTable'],
  [aws.DescribeTimeToLiveCommand, 'DescribeTimeToLive'],
  [aws.UpdateTimeToLiveCommand, 'UpdateTimeToLive'],
] as const;

/** Not by the name of its class, which a bundle may change. */
function operationOf(command: TableCommand): string {
  return operations.find(([kind]) => command instanceof kind)?.[1] ?? '';
}

/** The exceptions that the SDK makes of refusals, as far as the store tells them apart. */
function exceptionOf({ type, message, fields }: Refusal): aws.DynamoDBServiceException {
  const name = type.slice(type.indexOf('#') + 1);
  const said = { $metadata: {}, message, ...fields };
  if (name === 'ConditionalCheckFailedException') return new aws.ConditionalCheckFailedException(said);
  if (name === 'ResourceInUseException') return new aws.ResourceInUseException(said);
  if (name === 'ResourceNotFoundException') return new aws.ResourceNotFoundException(said);
  return new aws.DynamoDBServiceException({ ...said, name, $fault: 'client' });
}

export interface EmbeddedStore {
  store: Store;
  /** URL of its DynamoDB. */
  endpoint: string;
  close(): Promise<void>;
}

/** The functions' store on an embedded DynamoDB that forgets everything when it is closed. */
export const openEmbeddedStore = (table: string, clock: Clock, log: Log): Promise<EmbeddedStore> =>
  opened(async (closing) => {
    const engine = await startDynamoDb({ clock });
    closing.defer(() => engine.close());
    const dynamo = createDynamoStore({ client: directClient(engine.tables), table, clock });
    await dynamo.ensureTable();
    const store = forgivingStore(dynamo, { clock, log: (line) => log.warn(line) });
    return { store, endpoint: engine.endpoint, close: () => closing.disposeAsync() };
  });
