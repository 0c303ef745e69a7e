import { type Expression, type Operand, operandIn } from './expression.ts';
import { attributeOf, compareValues, type Item, kindOf, type Value } from './value.ts';

const comparisons = ['=', '<', '<=', '>', '>='] as const;

type Comparison = (typeof comparisons)[number];

export type Condition =
  | { kind: 'or' | 'and'; parts: Condition[] }
  | { kind: 'compare'; operator: Comparison; left: Operand; right: Operand }
  | { kind: 'between'; subject: Operand; low: Operand; high: Operand }
  | { kind: 'begins with'; path: string; prefix: Value }
  | { kind: 'exists'; path: string; isWanted: boolean };

/** As much of the language of conditions as the adapter speaks. Throws for all else. */
export function readCondition(expression: Expression): Condition {
  const condition = readJoined(expression, 'OR');
  expression.end();
  return condition;
}

/** AND binds more tightly than OR. */
function readJoined(expression: Expression, word: 'OR' | 'AND'): Condition {
  const read = (): Condition => (word === 'OR' ? readJoined(expression, 'AND') : readPart(expression));
  const first = read();
  const parts = [first];
  while (expression.takeIf(word)) parts.push(read());
  return parts.length === 1 ? first : { kind: word === 'OR' ? 'or' : 'and', parts };
}

function readPart(expression: Expression): Condition {
  if (expression.takeIf('attribute_exists')) return readExists(expression, true);
  if (expression.takeIf('attribute_not_exists')) return readExists(expression, false);
  if (expression.takeIf('begins_with')) return readBeginsWith(expression);
  const left = expression.operand();
  if (expression.takeIf('BETWEEN')) return readBetween(expression, left);
  const operator = comparisons.find((known) => expression.takeIf(known));
  if (operator === undefined) throw expression.unexpected();
  return { kind: 'compare', operator, left, right: expression.operand() };
}

function readExists(expression: Expression, isWanted: boolean): Condition {
  expression.take('(');
  const path = expression.path();
  expression.take(')');
  return { kind: 'exists', path, isWanted };
}

function readBeginsWith(expression: Expression): Condition {
  expression.take('(');
  const path = expression.path();
  expression.take(',');
  const prefix = expression.value();
  expression.take(')');
  if (kindOf(prefix) !== 'S') {
    throw expression.invalid(
      `Incorrect operand type for operator or function; operator or function: begins_with, operand type: ${kindOf(prefix)}`,
    );
  }
  return { kind: 'begins with', path, prefix };
}

function readBetween(expression: Expression, subject: Operand): Condition {
  const low = expression.operand();
  expression.take('AND');
  const high = expression.operand();
  const isOutOfOrder =
    'value' in low && 'value' in high && !((compareValues(low.value, high.value) ?? 1) <= 0);
  if (isOutOfOrder) {
    throw expression.invalid(
      'The BETWEEN operator requires upper bound to be greater than or equal to lower bound',
    );
  }
  return { kind: 'between', subject, low, high };
}

const isMet: Record<Comparison, (difference: number) => boolean> = {
  '=': (difference) => difference === 0,
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
};

/** A comparison with an attribute that is missing, or of another type, is false. */
export function holds(condition: Condition, item: Item): boolean {
  switch (condition.kind) {
    case 'or':
      return condition.parts.some((part) => holds(part, item));
    case 'and':
      return condition.parts.every((part) => holds(part, item));
    case 'exists':
      return (attributeOf(item, condition.path) !== undefined) === condition.isWanted;
    case 'begins with':
      return beginsWith(attributeOf(item, condition.path), condition.prefix);
    case 'between':
      return isBetween(condition, item);
    default:
      return compares(condition, item);
  }
}

type Of<K extends Condition['kind']> = Extract<Condition, { kind: K }>;

function compares({ operator, left, right }: Of<'compare'>, item: Item): boolean {
  const [mine, theirs] = [operandIn(item, left), operandIn(item, right)];
  const difference = mine && theirs && compareValues(mine, theirs);
  return difference !== undefined && isMet[operator](difference);
}

function isBetween({ subject, low, high }: Of<'between'>, item: Item): boolean {
  const [value, from, to] = [operandIn(item, subject), operandIn(item, low), operandIn(item, high)];
  if (value === undefined || from === undefined || to === undefined) return false;
  const [below, above] = [compareValues(from, value), compareValues(value, to)];
  return below !== undefined && above !== undefined && below <= 0 && above <= 0;
}

export const beginsWith = (value: Value | undefined, prefix: Value): boolean =>
  value !== undefined && 'S' in value && 'S' in prefix && value.S.startsWith(prefix.S);
