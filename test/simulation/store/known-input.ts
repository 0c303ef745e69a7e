import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
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
  Query: new Set(['TableName', ...reading, ...placeholders]),
};

/** DynamoDB's name for it. */
export const nameOf = (command: TableCommand): string => command.constructor.name.slice(0, -'Command'.length);

/** A field that would be passed over in silence is as bad as a wrong answer. */
export function checkInput(command: TableCommand): void {
  if (command.input.TableName !== tableName) {
    const message = `Requested resource not found: Table: ${command.input.TableName} not found`;
    throw new ResourceNotFoundException({ $metadata: { httpStatusCode: 400 }, message });
  }
  const name = nameOf(command);
  const known = knownFields[name];
  if (known === undefined) return;
  for (const field of Object.keys(command.input)) {
    if (!known.has(field)) throw new Unknown(`the field ${field} of ${name}`);
    if (returning.includes(field) && !['NONE', 'ALL_OLD'].includes(Reflect.get(command.input, field)))
      throw new Unknown(`the value of the field ${field} of ${name}`);
  }
}
