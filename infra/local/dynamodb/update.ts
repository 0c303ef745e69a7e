import { compareBytes } from '../../../shared/text/byte-order.ts';
import { type Expression, type Operand, operandIn } from './expression.ts';
import { invalid } from './refusal.ts';
import { attributeOf, type Item, kindOf, sumOf, type Value } from './value.ts';

export type Change =
  | { kind: 'set'; path: string; value: Operand; unlessThere?: string }
  | { kind: 'remove'; path: string }
  | { kind: 'add'; path: string; term: Value };

/** As much of the language of updates as the adapter speaks. Throws for all else, and for a key. */
export function readUpdate(expression: Expression, keys: readonly string[]): Change[] {
  const changes: Change[] = [];
  if (expression.takeIf('SET')) changes.push(...readList(expression, readSet));
  if (expression.takeIf('REMOVE')) changes.push(...readList(expression, readRemove));
  if (expression.takeIf('ADD')) changes.push(...readList(expression, readAdd));
  expression.end();
  const paths = changes.map(({ path }) => path);
  const twice = paths.find((path, index) => paths.indexOf(path) < index);
  if (twice !== undefined) {
    throw expression.invalid(`Two document paths overlap with each other; path: [${twice}]`);
  }
  const key = paths.find((path) => keys.includes(path));
  if (key === undefined) return changes;
  throw invalid(
    `One or more parameter values were invalid: Cannot update attribute ${key}. This attribute is part of the key`,
  );
}

function readList(expression: Expression, read: (expression: Expression) => Change): Change[] {
  const changes = [read(expression)];
  while (expression.takeIf(',')) changes.push(read(expression));
  return changes;
}

function readSet(expression: Expression): Change {
  const path = expression.path();
  expression.take('=');
  if (!expression.takeIf('if_not_exists')) return { kind: 'set', path, value: expression.operand() };
  expression.take('(');
  const unlessThere = expression.path();
  expression.take(',');
  const value = expression.operand();
  expression.take(')');
  return { kind: 'set', path, value, unlessThere };
}

const readRemove = (expression: Expression): Change => ({ kind: 'remove', path: expression.path() });

function readAdd(expression: Expression): Change {
  const path = expression.path();
  const term = expression.value();
  if (['N', 'SS'].includes(kindOf(term))) return { kind: 'add', path, term };
  throw expression.invalid(
    `Incorrect operand type for operator or function; operator: ADD, operand type: ${kindOf(term)}`,
  );
}

/** The item as it is afterwards. All that is read is read of the item as it was before. */
export function updated(before: Item, changes: readonly Change[]): Item {
  const after = new Map(Object.entries(before));
  for (const change of changes) {
    if (change.kind === 'remove') after.delete(change.path);
    else after.set(change.path, change.kind === 'add' ? sum(before, change) : newValue(before, change));
  }
  return Object.fromEntries(after);
}

type Of<K extends Change['kind']> = Extract<Change, { kind: K }>;

function newValue(before: Item, { value, unlessThere }: Of<'set'>): Value {
  const kept = unlessThere === undefined ? undefined : attributeOf(before, unlessThere);
  const set = kept ?? operandIn(before, value);
  if (set !== undefined) return set;
  throw invalid('The provided expression refers to an attribute that does not exist in the item');
}

/** An attribute that is not there counts as 0, or as a set without members. */
function sum(before: Item, { path, term }: Of<'add'>): Value {
  const old = attributeOf(before, path);
  if (old === undefined) return term;
  if ('N' in old && 'N' in term) return { N: sumOf(old.N, term.N) };
  if ('SS' in old && 'SS' in term)
    return { SS: [...new Set([...old.SS, ...term.SS])].toSorted(compareBytes) };
  throw invalid('An operand in the update expression has an incorrect data type');
}
