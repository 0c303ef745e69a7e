import type { ParseError, TypeError } from '@marcbachmann/cel-js';
import { isObject } from '../server/json.ts';

type Flaw = ParseError | TypeError;

/** Why an expression is refused, in the API server's words where they are known, without the place in its text. */
export function refusalOf(flaw: Flaw): string {
  switch (flaw.code) {
    case 'heterogeneous_list_element':
    case 'heterogeneous_map_key':
    case 'heterogeneous_map_value':
      return typeNames(flaw.summary.slice(flaw.summary.indexOf('expected type ')));
    case 'incompatible_ternary_branches': {
      const [, one = '', other = ''] = /'(.*)' and '(.*)'/.exec(flaw.summary) ?? [];
      return noOverload('_?_:_', [conditionType(flaw), one, other]);
    }
    case 'no_such_overload':
      return unlikeOperands(flaw.summary);
    case 'unknown_variable':
      return undeclared(flaw.summary.slice('Unknown variable: '.length));
    case 'no_such_key':
      return `undefined field '${flaw.summary.slice('No such key: '.length)}'`;
    default:
      return celMessage(flaw);
  }
}

export const undeclared = (name: string): string => `undeclared reference to '${name}' (in container '')`;

function unlikeOperands(summary: string): string {
  const [, left = '', operator = '', right = ''] =
    /: (.+) (==|!=|[<>]=?|[-+*/%]|in) (.+)$/.exec(summary) ?? [];
  const [, sign = '', operand = ''] = /: ([-!])(.+)$/.exec(summary) ?? [];
  if (sign !== '') return noOverload(`${sign}_`, [operand]);
  return noOverload(operator === 'in' ? '@in' : `_${operator}_`, [left, right]);
}

const noOverload = (operator: string, operands: readonly string[]): string =>
  `found no matching overload for '${operator}' applied to '(${operands.map(typeNames).join(', ')})'`;

/** Whether parts of a literal are unlike only because the type of one is not known. */
export function isOfUnknownType({ code, summary }: Flaw): boolean {
  return code.startsWith('heterogeneous_') && /\bdyn\b/.test(summary);
}

/** The evaluator notes the type of each part where it has found it. */
function conditionType({ node }: Flaw): string {
  const [condition]: unknown[] = Array.isArray(node?.args) ? node.args : [];
  const type = isObject(condition) ? condition['checkedType'] : undefined;
  return isObject(type) && typeof type['name'] === 'string' ? type['name'] : 'bool';
}

/** Types as the API server writes them: `list(string)`. Whatever was left open is dyn. */
export function typeNames(types: string): string {
  return types
    .replace(/^list$/, 'list<dyn>')
    .replace(/^map$/, 'map<dyn, dyn>')
    .replaceAll(/\b[A-Z]\b/g, 'dyn')
    .replaceAll('optional<', 'optional_type<')
    .replaceAll('google.protobuf.Timestamp', 'timestamp')
    .replaceAll('google.protobuf.Duration', 'duration')
    .replaceAll('<', '(')
    .replaceAll('>', ')');
}

/** What CEL says about a failure, in lower case as Go says it, and without the drawing of the place. */
export function celMessage(error: unknown): string {
  const [said = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return said.charAt(0).toLowerCase() + said.slice(1);
}
