import { type Lexer, startLexer } from './lexer.ts';
import { type Operand, readOperand, readPath } from './operand.ts';

export type Comparison = '=' | '<' | '<=' | '>' | '>=';

export type Condition =
  | { kind: 'or' | 'and'; parts: Condition[] }
  | { kind: 'compare'; operator: Comparison; left: Operand; right: Operand }
  | { kind: 'between'; subject: Operand; low: Operand; high: Operand }
  | { kind: 'begins with'; subject: Operand; prefix: Operand }
  | { kind: 'exists'; path: Operand; isWanted: boolean };

const comparisons = ['=', '<', '<=', '>', '>='] as const satisfies Comparison[];

/** As much of the language of conditions as the adapter speaks. Throws for anything else, and names it. */
export function parseCondition(expression: string): Condition {
  const lexer = startLexer(expression);
  const condition = readJoined(lexer, 'OR');
  lexer.end();
  return condition;
}

/** AND binds more tightly than OR. */
function readJoined(lexer: Lexer, word: 'OR' | 'AND'): Condition {
  const read = (): Condition => (word === 'OR' ? readJoined(lexer, 'AND') : readPredicate(lexer));
  const first = read();
  const parts = [first];
  while (lexer.takeIf(word)) parts.push(read());
  return parts.length === 1 ? first : { kind: word === 'OR' ? 'or' : 'and', parts };
}

function readPredicate(lexer: Lexer): Condition {
  if (lexer.takeIf('attribute_exists')) return { kind: 'exists', path: readOnly(lexer), isWanted: true };
  if (lexer.takeIf('attribute_not_exists')) return { kind: 'exists', path: readOnly(lexer), isWanted: false };
  if (lexer.takeIf('begins_with')) return readBeginsWith(lexer);
  const left = readOperand(lexer);
  if (lexer.takeIf('BETWEEN')) {
    const low = readOperand(lexer);
    lexer.take('AND');
    return { kind: 'between', subject: left, low, high: readOperand(lexer) };
  }
  const operator = comparisons.find((known) => lexer.takeIf(known));
  if (operator === undefined) return lexer.refuse();
  return { kind: 'compare', operator, left, right: readOperand(lexer) };
}

function readOnly(lexer: Lexer): Operand {
  lexer.take('(');
  const path = readPath(lexer);
  lexer.take(')');
  return path;
}

function readBeginsWith(lexer: Lexer): Condition {
  lexer.take('(');
  const subject = readPath(lexer);
  lexer.take(',');
  const prefix = readOperand(lexer);
  lexer.take(')');
  return { kind: 'begins with', subject, prefix };
}
