import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../shared/adapters/dynamodb/attributes.ts';
import type { Lexer } from './lexer.ts';
import type { Placeholders } from './placeholders.ts';

/** An attribute of the item, or a value that came with the command. */
export interface Operand {
  kind: 'path' | 'value';
  /** As written, with the `#` or `:` of a placeholder. */
  name: string;
}

const isPath = /^(?:#|[A-Za-z])\w*$/;
const isValue = /^:\w+$/;
/** Words that no attribute can have for a name, among those that the language itself uses. */
const keywords = new Set(['AND', 'OR', 'NOT', 'BETWEEN', 'IN', 'SET', 'REMOVE', 'ADD', 'DELETE']);

export function readPath(lexer: Lexer): Operand {
  const name = lexer.takeLike(isPath);
  if (name === undefined || keywords.has(name)) return lexer.refuse();
  return { kind: 'path', name };
}

export function readValue(lexer: Lexer): Operand {
  const name = lexer.takeLike(isValue);
  return name === undefined ? lexer.refuse() : { kind: 'value', name };
}

export function readOperand(lexer: Lexer): Operand {
  const value = lexer.takeLike(isValue);
  return value === undefined ? readPath(lexer) : { kind: 'value', name: value };
}

/** The attribute that is meant. */
export const nameOf = (path: Operand, { names }: Placeholders): string =>
  path.name.startsWith('#') ? (names[path.name] ?? path.name) : path.name;

/** Undefined for an attribute that the item does not have. */
export const valueOf = (operand: Operand, item: Item, given: Placeholders): AttributeValue | undefined =>
  operand.kind === 'value' ? given.values[operand.name] : item[nameOf(operand, given)];
