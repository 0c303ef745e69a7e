import * as aws from '@aws-sdk/client-dynamodb';
import type {
  CallOptions,
  TableClient,
  TableCommand,
} from '../../../shared/adapters/dynamodb/table-client.ts';
import { answer } from '../dynamodb/operations.ts';
import { Refusal } from '../dynamodb/refusal.ts';
import type { Tables } from '../dynamodb/tables.ts';

/**
 * Asks tables of this process without HTTP. The SDK's signing, serializing and its connections were a third of what a
 * deletion cost here, and calls ran out of time in its queue.
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
