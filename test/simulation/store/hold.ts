import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../shared/adapters/dynamodb/attributes.ts';
import { compareValues, kindOf } from './attribute-values.ts';
import { type Comparison, type Condition, parseCondition } from './condition.ts';
import { valueOf } from './operand.ts';
import type { Placeholders } from './placeholders.ts';
import { readOnce } from './read-once.ts';
import { invalid } from './refusals.ts';

const isMet: Record<Comparison, (difference: number) => boolean> = {
  '=': (difference) => difference === 0,
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
};

/** A comparison with an attribute that is missing, or of another type, is false, whichever it is. */
export function holds(condition: Condition, item: Item, given: Placeholders): boolean {
  switch (condition.kind) {
    case 'or':
      return condition.parts.some((part) => holds(part, item, given));
    case 'and':
      return condition.parts.every((part) => holds(part, item, given));
    case 'exists':
      return (valueOf(condition.path, item, given) !== undefined) === condition.isWanted;
    case 'begins with':
      return beginsWith(condition, item, given);
    case 'between':
      return isBetween(condition, item, given);
    default:
      return isMetBy(condition, item, given);
  }
}

type Of<K extends Condition['kind']> = Extract<Condition, { kind: K }>;

function isMetBy({ operator, left, right }: Of<'compare'>, item: Item, given: Placeholders): boolean {
  const [mine, theirs] = [valueOf(left, item, given), valueOf(right, item, given)];
  const difference = mine === undefined || theirs === undefined ? undefined : compareValues(mine, theirs);
  return difference !== undefined && isMet[operator](difference);
}

function beginsWith({ subject, prefix }: Of<'begins with'>, item: Item, given: Placeholders): boolean {
  const [text, beginning] = [valueOf(subject, item, given)?.S, valueOf(prefix, item, given)?.S];
  return text !== undefined && beginning !== undefined && text.startsWith(beginning);
}

function isBetween({ subject, low, high }: Of<'between'>, item: Item, given: Placeholders): boolean {
  const [value, from, to] = [subject, low, high].map((operand) => valueOf(operand, item, given));
  if (value === undefined || from === undefined || to === undefined) return false;
  const [below, above] = [compareValues(from, value), compareValues(value, to)];
  return below !== undefined && above !== undefined && below <= 0 && above <= 0;
}

/** What is wrong whatever the item is, which DynamoDB finds before it looks for one. */
export function checkOperands(condition: Condition, given: Placeholders): void {
  if (condition.kind === 'or' || condition.kind === 'and') {
    for (const part of condition.parts) checkOperands(part, given);
  }
  if (condition.kind === 'begins with') checkPrefix(valueOf(condition.prefix, {}, given));
  if (condition.kind === 'between') {
    checkBounds(valueOf(condition.low, {}, given), valueOf(condition.high, {}, given));
  }
}

function checkPrefix(prefix: AttributeValue | undefined): void {
  if (prefix === undefined || kindOf(prefix) === 'S') return;
  throw invalid('Incorrect operand type for operator or function; operator or function: begins_with');
}

function checkBounds(low: AttributeValue | undefined, high: AttributeValue | undefined): void {
  if (low === undefined || high === undefined || (compareValues(low, high) ?? 1) <= 0) return;
  throw invalid('The BETWEEN operator requires upper bound to be greater than or equal to lower bound');
}

export const conditionOf = readOnce(parseCondition);
