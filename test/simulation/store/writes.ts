import type {
  DeleteItemCommandInput,
  PutItemCommandInput,
  TransactWriteItemsCommandInput,
  UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../shared/adapters/dynamodb/attributes.ts';
import { checkOperands, conditionOf, holds } from './hold.ts';
import { checkItem, checkPrimaryKey } from './keys.ts';
import { type Placeholders, placeholdersOf } from './placeholders.ts';
import { conditionFailed, invalid } from './refusals.ts';
import { changesOf, checkChanges, updated } from './update.ts';

/** What a write makes of the item with its key; undefined where there is none. */
export interface Written {
  before?: Item | undefined;
  after?: Item | undefined;
}

/** The item with the key. */
type Find = (key: Item) => Item | undefined;

export function put(input: PutItemCommandInput, find: Find): Written {
  const after = input.Item ?? {};
  checkItem(after);
  const before = find(after);
  checkCondition(input, before, givenWith(input));
  return { before, after };
}

/** All that is written together, or it throws. */
export function transacted({ TransactItems = [] }: TransactWriteItemsCommandInput, find: Find): Written[] {
  if (TransactItems.length === 0 || TransactItems.length > 100)
    throw invalid('transactItems: Member must have between 1 and 100 items');
  const writes = TransactItems.map(({ Put = { TableName: '', Item: {} } }) => put(Put, find));
  const targets = new Set(writes.map(({ after = {} }) => JSON.stringify([after['pk'], after['sk']])));
  if (targets.size < writes.length)
    throw invalid('Transaction request cannot include multiple operations on one item');
  return writes;
}

export function deleted(input: DeleteItemCommandInput, find: Find): Written {
  const before = find(keyOf(input));
  checkCondition(input, before, givenWith(input));
  return { before };
}

/** Begins an item where there is none. */
export function updatedBy(input: UpdateItemCommandInput, find: Find): Written {
  const key = keyOf(input);
  const expression = input.UpdateExpression ?? '';
  const changes = changesOf(expression);
  const given = givenWith(input, expression);
  checkChanges(changes, (name) => Object.hasOwn(key, name), given);
  const before = find(key);
  checkCondition(input, before, given);
  const after = updated(before ?? key, changes, given);
  checkItem(after);
  return { before, after };
}

function keyOf({ Key = {} }: Pick<UpdateItemCommandInput, 'Key'>): Item {
  checkPrimaryKey(Key);
  return Key;
}

type Conditional = Pick<
  PutItemCommandInput,
  | 'ConditionExpression'
  | 'ExpressionAttributeValues'
  | 'ExpressionAttributeNames'
  | 'ReturnValuesOnConditionCheckFailure'
>;

const givenWith = (input: Conditional, update = ''): Placeholders =>
  placeholdersOf(input, [input.ConditionExpression ?? '', update]);

function checkCondition(input: Conditional, before: Item | undefined, given: Placeholders): void {
  if (input.ConditionExpression === undefined) return;
  const condition = conditionOf(input.ConditionExpression);
  checkOperands(condition, given);
  if (holds(condition, before ?? {}, given)) return;
  throw conditionFailed(input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? before : undefined);
}
