import { type Comparison, type Expression, parseCesql } from './cesql/parse.ts';
import type { Filter, Selection } from './model.ts';

/** Attributes and extensions of an event, as text. */
type Attributes = Readonly<Record<string, string>>;
/** Whether an event with these attributes passes. */
export type Matcher = (attributes: Attributes) => boolean;

/** Readies a Trigger's filter. It sees attributes and extensions only, never data. Throws CesqlSyntaxError. */
export function matcherOf({ filter, filters = [] }: Selection): Matcher {
  if (filters.length > 0) return allOf(filters);
  const wanted = Object.entries(filter?.attributes ?? {});
  return (attributes) => wanted.every(([name, value]) => agreesWith(value, attributeOf(attributes, name)));
}

/** Empty asks for presence and not for emptiness. */
const agreesWith = (wanted: string, actual: string | undefined): boolean =>
  wanted === '' ? Boolean(actual) : actual === wanted;

function matcher(filter: Filter): Matcher {
  if ('exact' in filter) return each(filter.exact, (actual, wanted) => actual === wanted);
  if ('prefix' in filter) return each(filter.prefix, (actual, wanted) => actual.startsWith(wanted));
  if ('suffix' in filter) return each(filter.suffix, (actual, wanted) => actual.endsWith(wanted));
  if ('all' in filter) return allOf(filter.all);
  if ('any' in filter) {
    const matchers = filter.any.map(matcher);
    return (attributes) => matchers.some((matches) => matches(attributes));
  }
  if ('not' in filter) {
    const matches = matcher(filter.not);
    return (attributes) => !matches(attributes);
  }
  const expression = parseCesql(filter.cesql);
  return (attributes) => holds(expression, attributes);
}

function allOf(filters: Filter[]): Matcher {
  const matchers = filters.map(matcher);
  return (attributes) => matchers.every((matches) => matches(attributes));
}

function each(wanted: Record<string, string>, agrees: (actual: string, wanted: string) => boolean): Matcher {
  const entries = Object.entries(wanted);
  return (attributes) =>
    entries.every(([name, value]) => {
      const actual = attributeOf(attributes, name);
      return actual !== undefined && agrees(actual, value);
    });
}

type Value = string | number | boolean;

/** Whether an expression holds for an event. An absent attribute or a failed cast makes it not hold, even under NOT. */
function holds(expression: Expression, attributes: Attributes): boolean {
  return evaluate(expression, attributes) === true;
}

/** Undefined is CESQL's error, which travels up through everything that needs the value. */
function evaluate(expression: Expression, attributes: Attributes): Value | undefined {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'attribute':
      return attributeOf(attributes, expression.name);
    case 'exists':
      return attributeOf(attributes, expression.name) !== undefined;
    case 'not':
      return negated(evaluate(expression.operand, attributes));
    case 'and':
    case 'or':
    case 'xor':
      return combined(expression, attributes);
    case 'compare': {
      const left = evaluate(expression.left, attributes);
      return compared(left, expression.operator, evaluate(expression.right, attributes));
    }
    case 'like': {
      const text = evaluate(expression.operand, attributes);
      return text === undefined ? undefined : likePattern(expression.pattern).test(String(text));
    }
    default:
      return contained(expression.operand, expression.set, attributes);
  }
}

function negated(value: Value | undefined): boolean | undefined {
  const truth = toBoolean(value);
  return truth === undefined ? undefined : !truth;
}

function combined(
  { kind, left, right }: Extract<Expression, { kind: 'and' | 'or' | 'xor' }>,
  attributes: Attributes,
): boolean | undefined {
  const first = toBoolean(evaluate(left, attributes));
  // Left to right, and stops early: `EXISTS a AND a = 1` guards against an absent attribute.
  if (first === undefined || (kind === 'and' && !first) || (kind === 'or' && first)) return first;
  const second = toBoolean(evaluate(right, attributes));
  if (second === undefined) return undefined;
  return kind === 'xor' ? first !== second : second;
}

function contained(operand: Expression, set: Expression[], attributes: Attributes): boolean | undefined {
  const value = evaluate(operand, attributes);
  if (value === undefined) return undefined;
  const answers = set.map((member) => compared(value, '=', evaluate(member, attributes)));
  return answers.includes(undefined) ? undefined : answers.includes(true);
}

function compared(
  left: Value | undefined,
  operator: Comparison,
  right: Value | undefined,
): boolean | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (operator === '=' || operator === '!=') {
    const same = equal(left, right);
    return same === undefined ? undefined : same === (operator === '=');
  }
  return ordered(toNumber(left), operator, toNumber(right));
}

/** Attributes are text; where the other side is a number or a truth value, the text is read as one. */
function equal(left: Value, right: Value): boolean | undefined {
  if (typeof left === typeof right) return left === right;
  const cast = typeof left === 'number' || typeof right === 'number' ? toNumber : toBoolean;
  const [first, second] = [cast(left), cast(right)];
  return first === undefined || second === undefined ? undefined : first === second;
}

function ordered(
  left: number | undefined,
  operator: Exclude<Comparison, '=' | '!='>,
  right: number | undefined,
): boolean | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}

function toNumber(value: Value): number | undefined {
  if (typeof value === 'string') return /^[+-]?\d+$/.test(value) ? Number(value) : undefined;
  return Number(value);
}

function toBoolean(value: Value | undefined): boolean | undefined {
  if (typeof value === 'boolean' || value === undefined) return value;
  const text = String(value).toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

/** `%` is any text, `_` one character; a backslash takes that meaning away. */
function likePattern(pattern: string): RegExp {
  const source = pattern.replaceAll(/\\([%_])|[%_]|[^%_\\]+|\\/g, (part, escaped?: string) => {
    if (escaped !== undefined) return escaped;
    if (part === '%') return '.*';
    return part === '_' ? '.' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 's');
}

/** An attribute or extension by its name; names such as `constructor` are nothing special. */
const attributeOf = (attributes: Attributes, name: string): string | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined;
