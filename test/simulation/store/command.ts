import { QueryCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../shared/adapters/dynamodb/attributes.ts';
import type { TableCommand } from '../../../shared/adapters/dynamodb/table-client.ts';
import { nameOf } from './known-input.ts';

/** What a fault sees of a command before it decides its fate. */
export interface StoreCommand {
  /** DynamoDB's name for it: UpdateItem, Query. */
  name: string;
  isConditional: boolean;
  isIndexQuery: boolean;
  /** A read that did not ask for a consistent answer. */
  mayBeStale: boolean;
}

export function describeCommand(command: TableCommand): StoreCommand {
  const isQuery = command instanceof QueryCommand;
  return {
    name: nameOf(command),
    isConditional: 'ConditionExpression' in command.input && command.input.ConditionExpression !== undefined,
    isIndexQuery: isQuery && command.input.IndexName !== undefined,
    mayBeStale: isQuery && command.input.ConsistentRead !== true,
  };
}

/** For people: the keys of what is written, of many the first one, or by which is asked. */
export function labelOf(command: TableCommand): string {
  const texts = Object.values(keysOf(command)).flatMap(({ S }) => S ?? []);
  return ['store', nameOf(command), ...texts].join(' ');
}

function keysOf(command: TableCommand): Item {
  if (command instanceof TransactWriteItemsCommand)
    return primaryKeyOf(command.input.TransactItems?.[0]?.Put);
  if (command instanceof QueryCommand) return command.input.ExpressionAttributeValues ?? {};
  if ('Key' in command.input) return command.input.Key ?? {};
  return primaryKeyOf('Item' in command.input ? command.input : {});
}

function primaryKeyOf({ Item: { pk, sk } = {} }: { Item?: Item | undefined } = {}): Item {
  return pk === undefined || sk === undefined ? {} : { pk, sk };
}
