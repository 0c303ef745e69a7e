import {
  ResourceNotFoundException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { TableCommand } from '../../../shared/adapters/dynamodb/table-client.ts';
import { Unknown } from './refusals.ts';

/** The name that the table has in every world. */
const tableName = 'phaseout';

const placeholders = ['ExpressionAttributeValues', 'ExpressionAttributeNames'];
const returning = ['ReturnValues', 'ReturnValuesOnConditionCheckFailure'];
const reading = ['KeyConditionExpression', 'ExclusiveStartKey', 'Limit', 'IndexName', 'ConsistentRead'];

const knownFields: Record<string, ReadonlySet<string>> = {
  PutItem: new Set(['TableName', 'Item', 'ConditionExpression', ...placeholders, ...returning]),
  UpdateItem: new Set([
    'TableName',
    'Key',
    'UpdateExpression',
    'ConditionExpression',
    ...placeholders,
    ...returning,
  ]),
  DeleteItem: new Set(['TableName', 'Key', 'ConditionExpression', ...placeholders, ...returning]),
  TransactWriteItems: new Set(['TransactItems']),
  Query: new Set(['TableName', ...reading, ...placeholders]),
};

/** DynamoDB's name for it. */
export const nameOf = (command: TableCommand): string => command.constructor.name.slice(0, -'Command'.length);

/** A field that would be passed over in silence is as bad as a wrong answer. */
export function checkInput(command: TableCommand): void {
  if (command instanceof TransactWriteItemsCommand) {
    checkFields('TransactWriteItems', command.input);
    for (const write of command.input.TransactItems ?? []) checkWrite(write);
    return;
  }
  checkTable(command.input.TableName);
  checkFields(nameOf(command), command.input);
}

/** A condition would have to be answered with a cancellation, and for what reasons. */
function checkWrite({ Put, ...others }: TransactWriteItem): void {
  const [other] = Object.keys(others);
  if (Put === undefined || other !== undefined) throw new Unknown(`a ${other ?? 'nothing'} in a transaction`);
  checkTable(Put.TableName);
  const field = Object.keys(Put).find((name) => name !== 'TableName' && name !== 'Item');
  if (field !== undefined) throw new Unknown(`the field ${field} of a Put in a transaction`);
}

function checkTable(name: string | undefined): void {
  if (name === tableName) return;
  const message = `Requested resource not found: Table: ${name} not found`;
  throw new ResourceNotFoundException({ $metadata: { httpStatusCode: 400 }, message });
}

function checkFields(name: string, input: object): void {
  const known = knownFields[name];
  if (known === undefined) return;
  for (const field of Object.keys(input)) {
    if (!known.has(field)) throw new Unknown(`the field ${field} of ${name}`);
    if (returning.includes(field) && !['NONE', 'ALL_OLD'].includes(Reflect.get(input, field)))
      throw new Unknown(`the value of the field ${field} of ${name}`);
  }
}
