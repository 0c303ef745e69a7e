import { compile, type Expression, ExpressionUnusable, refersTo } from '../cel/expression.ts';
import { vocabulary } from '../cel/vocabulary.ts';
import type { Cause } from '../discovery/resource.ts';
import { invalidValue, required, unsupported } from '../objects/status.ts';
import type { Rule, Schema } from './schema.ts';

/** A rule in CEL of a schema, ready to be asked. */
export interface ReadyRule {
  readonly rule: Rule;
  readonly holds: Expression;
  readonly message: Expression | undefined;
  /** It compares with what was there before, and has no say where nothing was. */
  readonly isOfTransition: boolean;
}

const words = vocabulary('self', 'oldSelf');

/** Stored definitions are frozen: what a rule says is found out once. */
const known = new WeakMap<Rule, ReadyRule | undefined>();

/** The rules of one schema, without those below it; those that cannot be evaluated here are left out. */
export function rulesOf(schema: Schema): ReadyRule[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule) => readyRule(rule) ?? []);
}

function readyRule(rule: Rule): ReadyRule | undefined {
  if (!known.has(rule))
    known.set(
      rule,
      usable(() => compiled(rule)),
    );
  return known.get(rule);
}

function usable(make: () => ReadyRule): ReadyRule | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof ExpressionUnusable) return undefined;
    throw error;
  }
}

function compiled(rule: Rule): ReadyRule {
  const { messageExpression } = rule;
  return {
    rule,
    holds: compile(words, rule.rule, 'bool').value,
    message: messageExpression ? compile(words, messageExpression, 'string').value : undefined,
    isOfTransition: refersTo(words, rule.rule, 'oldSelf'),
  };
}

const reasons = ['FieldValueRequired', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueDuplicate'];

/** Schemas without a flaw that cannot change any more: the same definitions are stored by many servers. */
const sound = new WeakSet<Schema>();

/** Why a definition with such rules is refused: what no API server could evaluate, and what this one cannot. */
export function ruleFlaws(schema: Schema, path: string): Cause[] {
  if (sound.has(schema)) return [];
  const flaws = flawsIn(schema, path);
  if (flaws.length === 0 && Object.isFrozen(schema)) sound.add(schema);
  return flaws;
}

function flawsIn(schema: Schema, path: string): Cause[] {
  const own = (schema['x-kubernetes-validations'] ?? []).flatMap((rule, i) =>
    flawsOf(rule, `${path}.x-kubernetes-validations[${i}]`),
  );
  const { items, additionalProperties } = schema;
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    ruleFlaws(field, `${path}.properties[${name}]`),
  );
  if (items) below.push(...ruleFlaws(items, `${path}.items`));
  if (typeof additionalProperties === 'object')
    below.push(...ruleFlaws(additionalProperties, `${path}.additionalProperties`));
  return [...own, ...below];
}

function flawsOf({ rule, messageExpression, reason }: Rule, path: string): Cause[] {
  if (!rule?.trim()) return [required(`${path}.rule`, 'rule is not specified')];
  return [
    ...flawOf(`${path}.rule`, rule, 'bool'),
    ...(messageExpression ? flawOf(`${path}.messageExpression`, messageExpression, 'string') : []),
    ...(reason && !reasons.includes(reason) ? [unsupported(`${path}.reason`, reason, reasons)] : []),
  ];
}

function flawOf(field: string, text: string, type: 'bool' | 'string'): Cause[] {
  try {
    compile(words, text, type);
    return [];
  } catch (error) {
    if (error instanceof ExpressionUnusable) return [invalidValue(field, text, error.message)];
    throw error;
  }
}
