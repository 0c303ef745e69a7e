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

/** Words of the language itself are no names. */
const isPath = /^(?!(?:AND|OR|NOT|BETWEEN|IN|SET|REMOVE|ADD|DELETE)$)(?:#|[A-Za-z])\w*$/;
const isValue = /^:\w+$/;

export function readPath(lexer: Lexer): Operand {
  const name = lexer.takeLike(isPath);
  return name === undefined ? lexer.refuse() : { kind: 'path', name };
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
