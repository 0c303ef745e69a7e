import { type Expression, fitMessage, type Scope } from '../cel/expression.ts';
import { celMessage } from '../cel/refusal.ts';
import type { Policy, Rated, Validation } from './policy.ts';
import type { Reason } from './policy-schema.ts';

/** Why a policy refuses a write. */
export interface Denial {
  readonly message: string;
  readonly reason: Reason;
}

type Outcome = { readonly value: unknown } | { readonly failure: string };

/** What a policy has against a write; nothing when it has no say in it. Rules: k8s.io/apiserver's policy/validating. */
export function denialsOf(policy: Policy, written: Scope): Denial[] {
  const scope = withVariables(policy, written);
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
function withVariables({ variables }: Policy, written: Scope): Scope {
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

/** A message that cannot be made, is too long or has several lines gives way to the fixed one, and that to the expression. */
function messageOf(validation: Validation, scope: Scope): string {
  const { text, message, messageExpression } = validation;
  const said = messageExpression && outcomeOf({ text, value: messageExpression }, scope);
  const made = said && 'value' in said ? fitMessage(said.value) : '';
  return made || message.trim() || `failed expression: ${text.trim()}`;
}
