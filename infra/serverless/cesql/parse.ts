import { CesqlSyntaxError, Cursor, tokens } from './tokens.ts';

/** Comparison operators of CESQL, the filter language of CloudEvents. */
export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

/** A parsed CESQL expression. */
export type Expression =
  | { kind: 'literal'; value: string | number | boolean }
  | { kind: 'attribute'; name: string }
  | { kind: 'exists'; name: string }
  | { kind: 'not'; operand: Expression }
  | { kind: 'and' | 'or' | 'xor'; left: Expression; right: Expression }
  | { kind: 'compare'; operator: Comparison; left: Expression; right: Expression }
  | { kind: 'like'; operand: Expression; pattern: string }
  | { kind: 'in'; operand: Expression; set: Expression[] };

const comparisons: Readonly<Record<string, Comparison>> = {
  '=': '=',
  '!=': '!=',
  '<>': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

/**
 * Reads a CESQL 1.0 expression. Arithmetic and function calls are not understood and are refused rather than
 * half evaluated. Throws CesqlSyntaxError.
 */
export function parseCesql(expression: string): Expression {
  const cursor = new Cursor(tokens(expression));
  const parsed = logic(cursor);
  cursor.mustBeAtEnd();
  return parsed;
}

/** AND, OR and XOR bind alike and to the right, as in Knative's grammar: `a AND b OR c` is `a AND (b OR c)`. */
function logic(cursor: Cursor): Expression {
  const left = comparison(cursor);
  if (cursor.take('AND')) return { kind: 'and', left, right: logic(cursor) };
  if (cursor.take('OR')) return { kind: 'or', left, right: logic(cursor) };
  return cursor.take('XOR') ? { kind: 'xor', left, right: logic(cursor) } : left;
}

function comparison(cursor: Cursor): Expression {
  const left = operand(cursor);
  if (cursor.take('NOT')) return { kind: 'not', operand: membership(cursor, left, 'LIKE or IN after NOT') };

  const sign = Object.keys(comparisons).find((text) => cursor.take(text));
  const operator = sign === undefined ? undefined : comparisons[sign];
  if (operator !== undefined) return { kind: 'compare', operator, left, right: operand(cursor) };
  return membership(cursor, left);
}

/** `LIKE` or `IN`; without either the operand as it is, unless one was `required`. */
function membership(cursor: Cursor, left: Expression, required?: string): Expression {
  if (cursor.take('LIKE')) return { kind: 'like', operand: left, pattern: pattern(cursor) };
  if (cursor.take('IN')) return { kind: 'in', operand: left, set: set(cursor) };
  if (required !== undefined) throw new CesqlSyntaxError(`expected ${required}`);
  return left;
}

function pattern(cursor: Cursor): string {
  const token = cursor.next();
  if (token.kind !== 'text') throw new CesqlSyntaxError('LIKE takes a quoted pattern');
  return token.value;
}

function set(cursor: Cursor): Expression[] {
  cursor.mustTake('(');
  const members = [logic(cursor)];
  while (cursor.take(',')) members.push(logic(cursor));
  cursor.mustTake(')');
  return members;
}

function operand(cursor: Cursor): Expression {
  if (cursor.take('NOT')) return { kind: 'not', operand: operand(cursor) };
  if (cursor.take('EXISTS')) return { kind: 'exists', name: attribute(cursor) };
  if (cursor.take('TRUE')) return { kind: 'literal', value: true };
  if (cursor.take('FALSE')) return { kind: 'literal', value: false };
  if (cursor.take('-')) return { kind: 'literal', value: -number(cursor) };
  if (!cursor.take('(')) return leaf(cursor);

  const inner = logic(cursor);
  cursor.mustTake(')');
  return inner;
}

function leaf(cursor: Cursor): Expression {
  const token = cursor.next();
  if (token.kind === 'word')
    throw new CesqlSyntaxError(`a value is missing at ${JSON.stringify(token.value)}`);
  if (token.kind !== 'name') return { kind: 'literal', value: token.value };
  if (cursor.take('(')) throw new CesqlSyntaxError(`the function ${token.value} is not supported`);
  return { kind: 'attribute', name: token.value };
}

function attribute(cursor: Cursor): string {
  const token = cursor.next();
  if (token.kind !== 'name') throw new CesqlSyntaxError('EXISTS takes an attribute name');
  return token.value;
}

function number(cursor: Cursor): number {
  const token = cursor.next();
  if (token.kind !== 'number') throw new CesqlSyntaxError('- takes a number');
  return token.value;
}
