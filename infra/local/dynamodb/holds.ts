import type { Comparison, Condition } from './condition.ts';
import { operandIn } from './expression.ts';
import { attributeOf, compareValues, type Item, type Value } from './value.ts';

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

const beginsWith = (value: Value | undefined, prefix: Value): boolean =>
  value !== undefined && 'S' in value && 'S' in prefix && value.S.startsWith(prefix.S);
