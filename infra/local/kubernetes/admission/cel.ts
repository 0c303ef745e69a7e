import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import { isObject } from '../json.ts';
import { callsIn, isFieldOfObject, variablesIn } from './cel-syntax.ts';

/** What an expression may refer to, by name. */
export type Scope = Readonly<Record<string, unknown>>;

/** An expression ready to be evaluated. It throws what goes wrong, as CEL says it. */
export type Expression = (scope: Scope) => unknown;

export type ExpressionType = 'bool' | 'string' | 'dyn';

/** An expression that cannot be evaluated. The message says why. */
export class ExpressionUnusable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ExpressionUnusable';
  }
}

const macros = 'has all exists exists_one map filter';
const conversions = 'bool bytes double duration dyn int string timestamp type uint';
const standard = 'contains endsWith matches size startsWith';
const times =
  'getDate getDayOfMonth getDayOfWeek getDayOfYear getFullYear getHours getMilliseconds getMinutes getMonth getSeconds';
const optionals = 'hasValue none of or orValue value';
const strings = 'indexOf join lastIndexOf lowerAscii split substring trim upperAscii';

/**
 * What Kubernetes lets expressions call and the evaluator knows: CEL itself, optional values, and version 2 of the strings
 * library. Kubernetes has all of them since 1.29, by k8s.io/apiserver/pkg/cel/environment; what it has beyond them is
 * refused here.
 */
export const kubernetesFunctions: ReadonlySet<string> = new Set(
  [macros, conversions, standard, times, optionals, strings].flatMap((names) => names.split(' ')),
);

/** What an admission policy without parameters may refer to. */
const roots = ['object', 'oldObject', 'namespaceObject', 'request', 'variables'];

const environment = roots.reduce(
  (declared, name) => declared.registerVariable(name, 'dyn'),
  new Environment({ enableOptionalTypes: true }),
);

/**
 * Compiles an expression that must give a value of the type and may use the given variables of its policy. Throws
 * ExpressionUnusable.
 */
export function compile(text: string, type: ExpressionType, variables: readonly string[]): Expression {
  const compiled = parse(text);
  const unknown = callsIn(compiled.ast).find((name) => !kubernetesFunctions.has(name));
  if (unknown !== undefined) throw failed(`undeclared reference to '${unknown}'`);
  const undefinedField = variablesIn(compiled.ast).find((name) => !variables.includes(name));
  if (undefinedField !== undefined) throw failed(`undefined field '${undefinedField}'`);
  refuseType(compiled, type);
  return (scope): unknown => compiled(scope);
}

function parse(text: string): ParseResult {
  try {
    return environment.parse(text);
  } catch (error) {
    throw failed(celMessage(error));
  }
}

/** Nothing is known of what an object holds; of what a variable holds, Kubernetes knows more, so it is let in. */
function refuseType(compiled: ParseResult, wanted: ExpressionType): void {
  const { valid, type = 'dyn', error } = compiled.check();
  if (!valid) throw failed(celMessage(error));
  const isUnknown = type === 'dyn' && !isFieldOfObject(compiled.ast);
  if (wanted === 'dyn' || isUnknown || type === wanted) return;
  throw new ExpressionUnusable(`must evaluate to ${wanted} but got ${type}`);
}

const failed = (why: string) => new ExpressionUnusable(`compilation failed: ${why}`);

/** What CEL says about a failure, in lower case as Go says it, and without the drawing of the place. */
export function celMessage(error: unknown): string {
  const [said = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return said.charAt(0).toLowerCase() + said.slice(1);
}

/** JSON as CEL sees it: numbers without a fraction are integers. */
export function celValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celValue);
  if (!isObject(value)) return value ?? null;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([key, field]) => [key, celValue(field)]));
}
