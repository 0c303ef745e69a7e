import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../shared/adapters/dynamodb/attributes.ts';
import { compareBytes } from '../../../shared/text/byte-order.ts';
import { kindOf } from './attribute-values.ts';
import { type Lexer, startLexer } from './lexer.ts';
import { nameOf, type Operand, readOperand, readPath, readValue, valueOf } from './operand.ts';
import type { Placeholders } from './placeholders.ts';
import { readOnce } from './read-once.ts';
import { invalid } from './refusals.ts';

export type Change =
  | { kind: 'set'; path: Operand; value: Operand; unlessThere?: Operand }
  | { kind: 'remove'; path: Operand }
  | { kind: 'add'; path: Operand; value: Operand };

/** As much of the language of updates as the adapter speaks. Throws for anything else, and names it. */
function parseUpdate(expression: string): Change[] {
  const lexer = startLexer(expression);
  const changes: Change[] = [];
  if (lexer.takeIf('SET')) changes.push(...readList(lexer, readSet));
  if (lexer.takeIf('REMOVE')) changes.push(...readList(lexer, readRemove));
  if (lexer.takeIf('ADD')) changes.push(...readList(lexer, readAdd));
  lexer.end();
  return changes;
}

function readList(lexer: Lexer, read: (lexer: Lexer) => Change): Change[] {
  const changes = [read(lexer)];
  while (lexer.takeIf(',')) changes.push(read(lexer));
  return changes;
}

function readSet(lexer: Lexer): Change {
  const path = readPath(lexer);
  lexer.take('=');
  if (!lexer.takeIf('if_not_exists')) return { kind: 'set', path, value: readOperand(lexer) };
  lexer.take('(');
  const unlessThere = readPath(lexer);
  lexer.take(',');
  const value = readOperand(lexer);
  lexer.take(')');
  return { kind: 'set', path, value, unlessThere };
}

const readRemove = (lexer: Lexer): Change => ({ kind: 'remove', path: readPath(lexer) });

const readAdd = (lexer: Lexer): Change => ({ kind: 'add', path: readPath(lexer), value: readValue(lexer) });

/** What is wrong whatever the item is, which DynamoDB finds before it looks at the condition. */
export function checkChanges(
  changes: readonly Change[],
  isKey: (name: string) => boolean,
  given: Placeholders,
): void {
  const changed = new Set<string>();
  for (const change of changes) {
    const name = nameOf(change.path, given);
    if (changed.has(name)) throw invalid(`Two document paths overlap with each other: ${name}`);
    if (isKey(name)) throw invalid(`Cannot update attribute ${name}. This attribute is part of the key`);
    changed.add(name);
    const added = change.kind === 'add' ? given.values[change.value.name] : undefined;
    if (added !== undefined && !['N', 'SS'].includes(kindOf(added)))
      throw invalid('Incorrect operand type for operator: ADD');
  }
}

/** The item as it is afterwards. All that is read is read of the item as it was before. */
export function updated(before: Item, changes: readonly Change[], given: Placeholders): Item {
  const after = { ...before };
  for (const change of changes) {
    const name = nameOf(change.path, given);
    if (change.kind === 'remove') delete after[name];
    else after[name] = change.kind === 'add' ? sum(before, change, given) : newValue(before, change, given);
  }
  return after;
}

type Of<K extends Change['kind']> = Extract<Change, { kind: K }>;

function newValue(before: Item, { value, unlessThere }: Of<'set'>, given: Placeholders): AttributeValue {
  const kept = unlessThere === undefined ? undefined : valueOf(unlessThere, before, given);
  const set = kept ?? valueOf(value, before, given);
  if (set !== undefined) return set;
  throw invalid('The provided expression refers to an attribute that does not exist in the item');
}

/** An attribute that is not there counts as 0, or as a set without members. */
function sum(before: Item, { path, value }: Of<'add'>, given: Placeholders): AttributeValue {
  const term = valueOf(value, before, given);
  const old = valueOf(path, before, given);
  if (term?.SS !== undefined && (old === undefined || old.SS !== undefined)) {
    return { SS: [...new Set([...(old?.SS ?? []), ...term.SS])].toSorted(compareBytes) };
  }
  if (term?.N === undefined || (old !== undefined && kindOf(old) !== 'N')) {
    throw invalid('An operand in the update expression has an incorrect data type');
  }
  return { N: String(Number(old?.N ?? 0) + Number(term.N)) };
}

export const changesOf = readOnce(parseUpdate);
