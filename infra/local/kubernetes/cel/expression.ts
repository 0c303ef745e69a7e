import type { ASTNode, Environment, ParseResult } from '@marcbachmann/cel-js';
import { isObject } from '../server/json.ts';
import { celMessage, isOfUnknownType, refusalOf, typeNames, undeclared } from './refusal.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What an expression may refer to, by name. */
export type Scope = Readonly<Record<string, unknown>>;

/** An expression ready to be evaluated. It throws what goes wrong, as CEL says it. */
export type Expression = (scope: Scope) => unknown;

/** `Object` is what MutatingAdmissionPolicies give. */
export type ExpressionType = 'bool' | 'string' | 'dyn' | 'Object';

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
 * What Kubernetes lets expressions call and the evaluator knows. That is CEL itself, optional values, version 2 of
 * the strings library, and `indexOf` and `lastIndexOf` of the lists library. Kubernetes has all of them since 1.29,
 * by k8s.io/apiserver/pkg/cel/environment; what it has beyond them is refused here.
 */
export const kubernetesFunctions: ReadonlySet<string> = new Set(
  [macros, conversions, standard, times, optionals, strings].flatMap((names) => names.split(' ')),
);

export interface Compiled {
  readonly value: Expression;
  /** What it gives, as the evaluator writes types. */
  readonly type: string;
}

/** Compiles an expression that must give a value of the type. Throws ExpressionUnusable. */
export function compile(words: Vocabulary, text: string, wanted: ExpressionType): Compiled {
  const { ast } = parse(words.checking, text);
  const unknown = callsIn(ast).find((name) => !kubernetesFunctions.has(name));
  if (unknown !== undefined) throw failed(undeclared(unknown));
  const undefinedField = variablesIn(ast).find((name) => !Object.hasOwn(words.variables, name));
  if (undefinedField !== undefined) throw failed(`undefined field '${undefinedField}'`);
  const type = typeOf(words, text);
  const fits = wanted === 'dyn' || type === wanted || (type === 'dyn' && !words.isTyped);
  if (!fits) throw new ExpressionUnusable(`must evaluate to ${wanted} but got ${typeNames(type)}`);
  const evaluate = parse(words.evaluating, text);
  return { type, value: (scope): unknown => evaluate(scope) };
}

/** Whether the expression refers to this root. Throws ExpressionUnusable. */
export function refersTo(words: Vocabulary, text: string, root: string): boolean {
  return namesIn(parse(words.checking, text).ast).includes(root);
}

function parse(environment: Environment, text: string): ParseResult {
  try {
    return environment.parse(text);
  } catch (error) {
    throw failed(celMessage(error));
  }
}

/** Where a type is not known, nothing is refused for being unlike it. */
function typeOf({ checking, evaluating, isTyped }: Vocabulary, text: string): string {
  const strict = checking.check(text);
  const isInDoubt = !isTyped && strict.error !== undefined && isOfUnknownType(strict.error);
  const { type = 'dyn', error } = isInDoubt ? evaluating.check(text) : strict;
  if (error) throw failed(refusalOf(error));
  return type;
}

const failed = (why: string) => new ExpressionUnusable(`compilation failed: ${why}`);

const longestMessageBytes = 5 * 1024;

/** The value of an expression for a message, as the API server would say it. Empty where it would not say it. */
export function fitMessage(said: unknown): string {
  const text = typeof said === 'string' ? said.trim() : '';
  return Buffer.byteLength(text) <= longestMessageBytes && !text.includes('\n') ? text : '';
}

/** The names of all functions and macros that an expression calls. */
export function callsIn(root: ASTNode): string[] {
  return nodesIn(root).flatMap((node) => (node.op === 'call' || node.op === 'rcall' ? [node.args[0]] : []));
}

/** All names that an expression begins a reference with, those that its macros bind among them. */
function namesIn(root: ASTNode): string[] {
  return nodesIn(root).flatMap((node) => (node.op === 'id' ? [node.args] : []));
}

/** The variables of its policy that an expression names: `a` of `variables.a`. */
function variablesIn(root: ASTNode): string[] {
  return nodesIn(root).flatMap((node) => {
    if (node.op !== '.') return [];
    const [from, name] = node.args;
    return from.op === 'id' && from.args === 'variables' ? [name] : [];
  });
}

function nodesIn(node: ASTNode): ASTNode[] {
  return [node, ...below(node.args).flatMap(nodesIn)];
}

function below(args: unknown): ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(below);
  return isNode(args) ? [args] : [];
}

function isNode(value: unknown): value is ASTNode {
  return isObject(value) && 'op' in value && 'args' in value;
}
