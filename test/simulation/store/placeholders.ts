import type { Item } from '../../../shared/adapters/dynamodb/attributes.ts';
import { checkValue } from './attribute-values.ts';
import { readOnce } from './read-once.ts';
import { invalid } from './refusals.ts';

/** What a command gives for the words with `:` and `#` in its expressions. */
export interface Placeholders {
  values: Item;
  names: Record<string, string>;
}

interface Given {
  ExpressionAttributeValues?: Item | undefined;
  ExpressionAttributeNames?: Record<string, string> | undefined;
}

const none: Record<string, never> = {};

/** DynamoDB refuses a command that leaves out a placeholder of its expressions, and one that gives one too many. */
export function placeholdersOf(given: Given, expressions: readonly string[]): Placeholders {
  const values = given.ExpressionAttributeValues ?? none;
  const names = given.ExpressionAttributeNames ?? none;
  for (const placeholder of expressions.flatMap(placeholdersIn)) {
    if (!Object.hasOwn(values, placeholder) && !Object.hasOwn(names, placeholder)) {
      throw invalid(`An expression attribute value used in expression is not defined: ${placeholder}`);
    }
  }
  for (const placeholder of [...Object.keys(values), ...Object.keys(names)]) {
    if (!expressions.some((expression) => placeholdersIn(expression).includes(placeholder))) {
      throw invalid(`Value provided unused in expressions: ${placeholder}`);
    }
  }
  for (const value of Object.values(values)) checkValue(value);
  return { values, names };
}

const placeholdersIn = readOnce((expression): string[] => expression.match(/[:#]\w+/g) ?? []);
