import { isDeepStrictEqual } from 'node:util';
import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import { callsIn, isFieldOf, namesIn, variablesIn } from './syntax.ts';

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
 * What Kubernetes lets expressions call and the evaluator knows: CEL itself, optional values, version 2 of the strings
 * library, and of the lists library where an item is. Kubernetes has all of them since 1.29, by
 * k8s.io/apiserver/pkg/cel/environment; what it has beyond them is refused here.
 */
export const kubernetesFunctions: ReadonlySet<string> = new Set(
  [macros, conversions, standard, times, optionals, strings].flatMap((names) => names.split(' ')),
);

/** What expressions of one kind may refer to. */
export interface Vocabulary {
  readonly environment: Environment;
  readonly roots: readonly string[];
}

export function vocabulary(...roots: string[]): Vocabulary {
  const bare = new Environment({ enableOptionalTypes: true })
    .registerFunction('list<dyn>.indexOf(dyn): int', (list: unknown[], item: unknown) =>
      BigInt(list.findIndex((one) => isDeepStrictEqual(one, item))),
    )
    .registerFunction('list<dyn>.lastIndexOf(dyn): int', (list: unknown[], item: unknown) =>
      BigInt(list.findLastIndex((one) => isDeepStrictEqual(one, item))),
    );
  const environment = roots.reduce((declared, name) => declared.registerVariable(name, 'dyn'), bare);
  return { environment, roots };
}

/**
 * Compiles an expression that must give a value of the type and may use the given variables of its policy. Throws
 * ExpressionUnusable.
 */
export function compile(
  words: Vocabulary,
  text: string,
  type: ExpressionType,
  variables: readonly string[] = [],
): Expression {
  const compiled = parse(words, text);
  const unknown = callsIn(compiled.ast).find((name) => !kubernetesFunctions.has(name));
  if (unknown !== undefined) throw failed(`undeclared reference to '${unknown}'`);
  const undefinedField = variablesIn(compiled.ast).find((name) => !variables.includes(name));
  if (undefinedField !== undefined) throw failed(`undefined field '${undefinedField}'`);
  refuseType(words, compiled, type);
  return (scope): unknown => compiled(scope);
}

/** Whether the expression refers to this root. Throws ExpressionUnusable. */
export function refersTo(words: Vocabulary, text: string, root: string): boolean {
  return namesIn(parse(words, text).ast).includes(root);
}

function parse({ environment }: Vocabulary, text: string): ParseResult {
  try {
    return environment.parse(text);
  } catch (error) {
    throw failed(celMessage(error));
  }
}

/** Nothing is known of what an object holds; of what a variable holds, Kubernetes knows more, so it is let in. */
function refuseType({ roots }: Vocabulary, compiled: ParseResult, wanted: ExpressionType): void {
  const { valid, type = 'dyn', error } = compiled.check();
  if (!valid) throw failed(celMessage(error));
  const objects = roots.filter((root) => root === 'object' || root === 'oldObject');
  const isUnknown = type === 'dyn' && !isFieldOf(compiled.ast, objects);
  if (wanted === 'dyn' || isUnknown || type === wanted) return;
  throw new ExpressionUnusable(`must evaluate to ${wanted} but got ${type}`);
}

const failed = (why: string) => new ExpressionUnusable(`compilation failed: ${why}`);

/** What CEL says about a failure, in lower case as Go says it, and without the drawing of the place. */
export function celMessage(error: unknown): string {
  const [said = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return said.charAt(0).toLowerCase() + said.slice(1);
}

const longestMessageBytes = 5 * 1024;

/** What an expression for a message came to, as the API server would say it; empty when it says nothing fit to be said. */
export function fitMessage(said: unknown): string {
  const text = typeof said === 'string' ? said.trim() : '';
  return Buffer.byteLength(text) <= longestMessageBytes && !text.includes('\n') ? text : '';
}
