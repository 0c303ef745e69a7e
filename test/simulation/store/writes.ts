import type {
  DeleteItemCommandInput,
  PutItemCommandInput,
  UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../shared/adapters/dynamodb/attributes.ts';
import { conditionOf, holds } from './hold.ts';
import { checkItem, checkPrimaryKey } from './keys.ts';
import { placeholdersOf, type Placeholders } from './placeholders.ts';
import { conditionFailed, invalid } from './refusals.ts';
import { changesOf, updated } from './update.ts';

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

export function deleted(input: DeleteItemCommandInput, find: Find): Written {
  const before = find(keyOf(input));
  checkCondition(input, before, givenWith(input));
  return { before };
}

/** Begins an item where there is none. */
export function updatedBy(input: UpdateItemCommandInput, find: Find): Written {
  const key = keyOf(input);
  const before = find(key);
  const expression = input.UpdateExpression ?? '';
  const given = givenWith(input, expression);
  checkCondition(input, before, given);
  const after = updated(before ?? key, changesOf(expression), given);
  for (const [name, value] of Object.entries(key)) {
    if (after[name] !== value && after[name] !== before?.[name]) {
      throw invalid(`Cannot update attribute ${name}. This attribute is part of the key`);
    }
  }
  checkItem(after);
  return { before, after };
}

function keyOf({ Key = {} }: Pick<UpdateItemCommandInput, 'Key'>): Item {
  checkPrimaryKey(Key);
  return Key;
}

type Conditional = Pick<
  PutItemCommandInput,
  'ConditionExpression' | 'ExpressionAttributeValues' | 'ExpressionAttributeNames'
>;

const givenWith = (input: Conditional, update = ''): Placeholders =>
  placeholdersOf(input, [input.ConditionExpression ?? '', update]);

function checkCondition(input: Conditional, before: Item | undefined, given: Placeholders): void {
  if (input.ConditionExpression === undefined) return;
  if (!holds(conditionOf(input.ConditionExpression), before ?? {}, given)) throw conditionFailed();
}
