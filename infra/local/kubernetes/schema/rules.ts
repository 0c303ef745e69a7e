import { Optional } from '@marcbachmann/cel-js';
import { fitMessage, type Scope } from '../cel/expression.ts';
import { celMessage } from '../cel/refusal.ts';
import { rootCelValue, typedCelValue } from '../cel/value.ts';
import type { Cause } from '../discovery/resource.ts';
import { forbidden, invalidValue, required } from '../objects/status.ts';
import { areEqual, isObject } from '../server/json.ts';
import { type ReadyRule, rulesOf } from './rule.ts';
import { anywhere, type Rule, type Schema } from './schema.ts';

/** A value in its place, with the previous value at that place, if it is known. */
interface Place {
  readonly schema: Schema;
  readonly value: unknown;
  readonly previous: unknown;
  readonly path: string;
}

/**
 * What the rules in CEL have against a value that fits its schema otherwise. What an update leaves as it was is let be
 * by all rules but those of transitions. Rules: k8s.io/apiextensions-apiserver's pkg/apiserver/schema/cel.
 */
export function ruleViolations({ schema, value, previous, path }: Place): Cause[] {
  if (value === undefined || value === null || !hasRules(schema)) return [];
  const place = { schema, value, previous: previous ?? undefined, path };
  return [...ownViolations(place), ...placesBelow(place).flatMap(ruleViolations)];
}

/** Whether there is a rule in the schema, or anywhere below it. */
export const hasRules = anywhere((schema) => schema['x-kubernetes-validations'] !== undefined);

function placesBelow({ schema, value, previous, path }: Place): Place[] {
  if (Array.isArray(value)) return itemPlaces({ schema, value, previous, path });
  if (!isObject(value)) return [];
  const { properties = {}, additionalProperties: rest } = schema;
  const isComparable = isObject(previous) && schema['x-kubernetes-map-type'] !== 'atomic';
  return Object.entries(value).flatMap(([key, field]) => {
    const below = properties[key] ?? (typeof rest === 'object' ? rest : undefined);
    if (!below) return [];
    const name = properties[key] ? (path === '' ? key : `${path}.${key}`) : `${path}[${key}]`;
    return [{ schema: below, value: field, previous: isComparable ? previous[key] : undefined, path: name }];
  });
}

/** Items can be compared with earlier ones only where a key tells them apart. */
function itemPlaces({ schema, value, previous, path }: Place & { readonly value: unknown[] }): Place[] {
  const { items } = schema;
  if (!items) return [];
  const keys = schema['x-kubernetes-list-map-keys'];
  const earlier = keys && Array.isArray(previous) ? previous : [];
  return value.map((item, i) => ({
    schema: items,
    value: item,
    previous: earlier.find((one) => keys?.every((key) => fieldOf(one, key) === fieldOf(item, key))),
    path: `${path}[${i}]`,
  }));
}

const fieldOf = (item: unknown, key: string): unknown => (isObject(item) ? item[key] : undefined);

function ownViolations(place: Place): Cause[] {
  const { value, previous } = place;
  const rules = rulesOf(place.schema);
  if (rules.length === 0) return [];
  const isUnchanged = previous !== undefined && areEqual(value, previous);
  return rules
    .filter((ready) => hasSay(ready, place, isUnchanged))
    .flatMap((ready) => violation(ready, place));
}

function hasSay({ rule, isOfTransition }: ReadyRule, { previous }: Place, isUnchanged: boolean): boolean {
  if (isOfTransition) return previous !== undefined || rule.optionalOldSelf === true;
  return !isUnchanged;
}

function violation(ready: ReadyRule, place: Place): Cause[] {
  const { path, value } = place;
  const { rule } = ready;
  const scope = scopeOf(ready, place);
  try {
    if (ready.holds(scope) === true) return [];
  } catch (error) {
    return [refusedFor(path, value, `${celMessage(error)} evaluating rule: ${named(rule)}`)];
  }
  const field = `${path}${rule.fieldPath ?? ''}`.replace(/^\./, '');
  const detail = said(ready, scope) || rule.message?.trim() || `failed rule: ${named(rule)}`;
  return [causeOf(rule.reason, field, value, detail)];
}

/** What a rule goes by in refusals. */
const named = ({ message, rule }: Rule): string => message?.trim() || rule.trim();

function scopeOf({ rule }: ReadyRule, { schema, value, previous, path }: Place): Scope {
  const seen = path === '' ? rootCelValue : typedCelValue;
  const before = previous === undefined ? undefined : seen(schema, previous);
  return { self: seen(schema, value), oldSelf: rule.optionalOldSelf ? Optional.of(before) : before };
}

/** A message that cannot be made gives way to the fixed one. */
function said({ message }: ReadyRule, scope: Scope): string {
  try {
    return fitMessage(message?.(scope));
  } catch {
    return '';
  }
}

function causeOf(reason: string | undefined, field: string, value: unknown, detail: string): Cause {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(field, detail);
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueDuplicate':
      return { reason, message: `Duplicate value${shown(value)}`, field };
    default:
      return refusedFor(field, value, detail);
  }
}

function refusedFor(field: string, value: unknown, detail: string): Cause {
  if (typeof value !== 'object') return invalidValue(field, value, detail);
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${detail}`, field };
}

/** Lists and objects are not repeated in refusals. */
const shown = (value: unknown): string => (typeof value === 'object' ? '' : `: ${JSON.stringify(value)}`);
