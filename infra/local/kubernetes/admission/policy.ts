import type { core } from 'zod';
import {
  type Compiled,
  compile,
  type Expression,
  type ExpressionType,
  ExpressionUnusable,
  fitMessage,
  type Scope,
} from '../cel/expression.ts';
import { celMessage } from '../cel/refusal.ts';
import { type Types, withVariables } from '../cel/vocabulary.ts';
import type { Cause } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { forbidden, invalidValue, required, unsupported } from '../objects/status.ts';
import {
  type BindingSpec,
  bindingSchema,
  type PolicySpec,
  policySchema,
  type Reason,
} from './policy-schema.ts';
import { policyWords, variableType } from './words.ts';

interface Rated {
  readonly text: string;
  readonly value: Expression;
}

interface Validation extends Rated {
  readonly message: string;
  readonly messageExpression: Expression | undefined;
  readonly reason: Reason;
}

/** A ValidatingAdmissionPolicy ready to be asked. */
export interface Policy {
  readonly spec: PolicySpec;
  readonly conditions: readonly Rated[];
  readonly variables: readonly { readonly name: string; readonly value: Expression }[];
  readonly validations: readonly Validation[];
}

/** What a stored object says, or why nothing here could enforce it. */
export type Reading<T> = { readonly found: T } | { readonly causes: readonly Cause[] };

export const policyIn = rememberedByObject(readPolicy);
export const bindingIn = rememberedByObject(readBinding);

/** Stored objects are frozen: what one says is found out once. */
function rememberedByObject<T>(read: (object: KubeObject) => Reading<T>) {
  const known = new WeakMap<KubeObject, Reading<T>>();
  return (object: KubeObject): Reading<T> => {
    const reading = known.get(object) ?? read(object);
    if (Object.isFrozen(object)) known.set(object, reading);
    return reading;
  };
}

function readBinding({ spec = {} }: KubeObject): Reading<BindingSpec> {
  const read = bindingSchema.safeParse(spec);
  return read.success ? { found: read.data } : { causes: refusalsOf(read.error.issues, spec) };
}

function readPolicy({ spec = {} }: KubeObject): Reading<Policy> {
  const read = policySchema.safeParse(spec);
  if (!read.success) return { causes: refusalsOf(read.error.issues, spec) };
  const causes: Cause[] = [];
  const policy = policyOf(read.data, (field, text, type, variables) => {
    try {
      return compile(withVariables(policyWords, variables), text, type);
    } catch (error) {
      if (!(error instanceof ExpressionUnusable)) throw error;
      causes.push(invalidValue(field, text, error.message));
      return { value: () => undefined, type: 'dyn' };
    }
  });
  return causes.length > 0 ? { causes } : { found: policy };
}

type CompileAt = (field: string, text: string, type: ExpressionType, variables: Types) => Compiled;

function policyOf(spec: PolicySpec, compileAt: CompileAt): Policy {
  const { variables, types } = variablesOf(spec, compileAt);
  return {
    spec,
    conditions: spec.matchConditions.map(({ expression: text }, i) => ({
      text,
      value: compileAt(`spec.matchConditions[${i}].expression`, text, 'bool', {}).value,
    })),
    variables,
    validations: spec.validations.map(({ expression: text, messageExpression, message, reason }, i) => {
      const at = `spec.validations[${i}]`;
      const said = messageExpression?.trim()
        ? compileAt(`${at}.messageExpression`, messageExpression, 'string', types).value
        : undefined;
      const { value } = compileAt(`${at}.expression`, text, 'bool', types);
      return { text, value, message, messageExpression: said, reason };
    }),
  };
}

/** A variable knows those before it, and their types. */
function variablesOf(spec: PolicySpec, compileAt: CompileAt) {
  let types: Types = {};
  const variables = spec.variables.map(({ name, expression }, i) => {
    const { value, type } = compileAt(`spec.variables[${i}].expression`, expression, 'dyn', types);
    types = { ...types, [name]: variableType(type) };
    return { name, value };
  });
  return { variables, types };
}

/** Why a spec is refused, with the fields named as the API server names them. */
function refusalsOf(issues: readonly core.$ZodIssue[], spec: unknown): Cause[] {
  return issues.flatMap((issue) => refusalsOfIssue(issue, spec));
}

function refusalsOfIssue(issue: core.$ZodIssue, spec: unknown): Cause[] {
  const field = ['spec', ...issue.path].reduce<string>(joined, '');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => forbidden(`${field}.${key}`, 'not enforced by the local API server'));
  const value = issue.path.reduce<unknown>(valueAt, spec);
  if (value === undefined || issue.code === 'too_small') return [required(field)];
  if (issue.code === 'invalid_value') return [unsupported(field, value, issue.values.map(String))];
  return [invalidValue(field, value, issue.message)];
}

function joined(path: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  return path === '' ? String(key) : `${path}.${String(key)}`;
}

function valueAt(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([name]) => name === String(key))?.[1];
}

/** Why a policy refuses a write. */
export interface Denial {
  readonly message: string;
  readonly reason: Reason;
}

type Outcome = { readonly value: unknown } | { readonly failure: string };

/** What a policy has against a write; nothing when it has no say in it. Rules: k8s.io/apiserver's policy/validating. */
export function denialsOf(policy: Policy, written: Scope): Denial[] {
  const scope = knowingVariables(policy, written);
  const conditions = policy.conditions.map((condition) => outcomeOf(condition, scope));
  // A condition that is false outweighs another that fails to evaluate.
  if (conditions.some((outcome) => 'value' in outcome && outcome.value !== true)) return [];
  const failures = conditions.flatMap((outcome) => ('failure' in outcome ? [outcome.failure] : []));
  if (failures.length > 0) return failed(policy, failures.join(', '));
  return policy.validations.flatMap((validation) => {
    const outcome = outcomeOf(validation, scope);
    if ('failure' in outcome) return failed(policy, outcome.failure);
    if (outcome.value === true) return [];
    return [{ message: messageOf(validation, scope), reason: validation.reason }];
  });
}

function failed({ spec }: Policy, message: string): Denial[] {
  return spec.failurePolicy === 'Ignore' ? [] : [{ message, reason: 'Invalid' }];
}

/** Variables are worked out when they are asked for, and once. */
function knowingVariables({ variables }: Policy, written: Scope): Scope {
  const fields = {};
  const scope: Scope = { ...written, variables: fields };
  for (const { name, value } of variables) {
    Object.defineProperty(fields, name, { enumerable: true, get: once(value, scope) });
  }
  return scope;
}

function once(expression: Expression, scope: Scope): () => unknown {
  let known: { readonly value: unknown } | undefined;
  return () => (known ??= { value: expression(scope) }).value;
}

function outcomeOf({ text, value }: Rated, scope: Scope): Outcome {
  try {
    return { value: value(scope) };
  } catch (error) {
    return { failure: `expression '${text}' resulted in error: ${celMessage(error)}` };
  }
}

/**
 * A message that cannot be made, is too long or has several lines gives way to the fixed one. That gives way to the
 * expression.
 */
function messageOf(validation: Validation, scope: Scope): string {
  const { text, message, messageExpression } = validation;
  const said = messageExpression && outcomeOf({ text, value: messageExpression }, scope);
  const made = said && 'value' in said ? fitMessage(said.value) : '';
  return made || message.trim() || `failed expression: ${text.trim()}`;
}
