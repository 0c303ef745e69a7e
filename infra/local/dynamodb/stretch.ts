import { beginsWith, type Condition, readCondition } from './condition.ts';
import { Expression, type Operand } from './expression.ts';
import { checkKey, type Keys, type KeyTypes } from './keys.ts';
import { invalid } from './refusal.ts';
import { compareValues, type Value } from './value.ts';

/** A part of one partition, in its order. */
export interface Stretch {
  hash: Value;
  /** Negative for a range key before the stretch, 0 within, positive behind it. */
  position: (range: Value | undefined) => number;
}

type Position = (value: Value) => number;

/** Throws unless the expression is a key condition: one partition, and one stretch of it or all. */
export function readStretch(expression: Expression, keys: Keys, types: KeyTypes): Stretch {
  const condition = readCondition(expression);
  const parts = condition.kind === 'and' ? condition.parts : [condition];
  const hashPart = parts.find((part) => subjectOf(part) === keys.hash);
  const rangePart = parts.find((part) => part !== hashPart);
  const isOfHash = hashPart?.kind === 'compare' && hashPart.operator === '=';
  const isOfRange = rangePart === undefined || subjectOf(rangePart) === keys.range;
  if (!isOfHash || !isOfRange || parts.length > 2) throw invalid('Query key condition not supported');
  const keyValue = (name: string | undefined, operand: Operand): Value => {
    if (name === undefined || !('value' in operand)) throw invalid('Query key condition not supported');
    checkKey(name, operand.value, types);
    return operand.value;
  };
  const hash = keyValue(keys.hash, hashPart.right);
  const position = rangePart && positionOf(rangePart, (operand) => keyValue(keys.range, operand));
  return { hash, position: (range) => (range && position ? position(range) : 0) };
}

function subjectOf(part: Condition): string | undefined {
  if (part.kind === 'begins with') return part.path;
  const subject = part.kind === 'compare' ? part.left : part.kind === 'between' ? part.subject : undefined;
  return subject !== undefined && 'path' in subject ? subject.path : undefined;
}

function positionOf(part: Condition, keyValue: (operand: Operand) => Value): Position {
  if (part.kind === 'begins with') {
    const prefix = keyValue({ value: part.prefix });
    return (value) => (beginsWith(value, prefix) ? 0 : compare(value, prefix));
  }
  if (part.kind === 'between') {
    const [low, high] = [keyValue(part.low), keyValue(part.high)];
    return (value) => Math.min(compare(value, low), 0) || Math.max(compare(value, high), 0);
  }
  if (part.kind !== 'compare') throw invalid('Query key condition not supported');
  const key = keyValue(part.right);
  const positions: Record<typeof part.operator, Position> = {
    '=': (value) => compare(value, key),
    '<': (value) => (compare(value, key) < 0 ? 0 : 1),
    '<=': (value) => Math.max(compare(value, key), 0),
    '>': (value) => (compare(value, key) > 0 ? 0 : -1),
    '>=': (value) => Math.min(compare(value, key), 0),
  };
  return positions[part.operator];
}

/** Keys of one name are of one type. */
const compare = (one: Value, other: Value): number => compareValues(one, other) ?? 0;
