import type { Cause } from '../discovery/resource.ts';
import { invalidValue, required, unsupported } from '../objects/status.ts';
import { isObject } from '../server/json.ts';
import { hasRules, ruleViolations } from './rules.ts';
import { notInt32, numberViolations, textViolations } from './scalars.ts';
import type { Schema } from './schema.ts';

/** Why the value does not fit the schema, in the API server's words. */
function violations(schema: Schema, value: unknown, path = ''): Cause[] {
  if (value === undefined || (value === null && schema.nullable)) return [];
  if (schema['x-kubernetes-int-or-string']) return intOrString(schema, value, path);
  const allowed = schema.enum;
  const isListed = !allowed || allowed.includes(value);
  const own = isListed ? [] : [unsupported(path, value, allowed.map(String))];
  if (schema.type && !isOfType(schema.type, value)) return [...typeViolations(schema, value, path), ...own];
  if (typeof value === 'string') return [...own, ...textViolations(schema, value, path)];
  if (typeof value === 'number') return [...own, ...numberViolations(schema, value, path)];
  if (Array.isArray(value)) return [...own, ...listViolations(schema, value, path)];
  return isObject(value) ? [...own, ...objectViolations(schema, value, path)] : own;
}

function intOrString(schema: Schema, value: unknown, path: string): Cause[] {
  if (typeof value === 'string') return textViolations(schema, value, path);
  if (Number.isInteger(value)) return [];
  return [wrongType(path, 'integer,string', value)];
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function typeViolations({ type = '', format }: Schema, value: unknown, path: string): Cause[] {
  const isFraction = typeof value === 'number' && format === 'int32';
  if (!isFraction) return [wrongType(path, type, value)];
  const message = `Invalid value: "float64": ${path} in body must be of type int32: "float64"`;
  return [{ reason: 'FieldValueTypeInvalid', message, field: path }, notInt32(path)];
}

function wrongType(path: string, type: string, value: unknown): Cause {
  const found =
    value === null
      ? 'null'
      : Array.isArray(value)
        ? 'array'
        : Number.isInteger(value)
          ? 'integer'
          : typeof value;
  const message = `Invalid value: "${found}": ${path} in body must be of type ${type}: "${found}"`;
  return { reason: 'FieldValueTypeInvalid', message, field: path };
}

function listViolations(schema: Schema, value: unknown[], path: string): Cause[] {
  const { items, minItems, maxItems } = schema;
  const causes = items ? value.flatMap((item, i) => violations(items, item, `${path}[${i}]`)) : [];
  causes.push(...duplicates(schema, value, path));
  if (minItems !== undefined && value.length < minItems) {
    causes.push(invalidValue(path, value.length, `${path} in body should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && value.length > maxItems) {
    const message = `Too many: ${value.length}: must have at most ${maxItems} items`;
    causes.push({ reason: 'FieldValueTooMany', message, field: path });
  }
  return causes;
}

/** Items of a set that are equal, or of a map that have the same keys. */
function duplicates(schema: Schema, value: unknown[], path: string): Cause[] {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (!keys && schema['x-kubernetes-list-type'] !== 'set') return [];
  const identity = (item: unknown) =>
    JSON.stringify(keys && isObject(item) ? Object.fromEntries(keys.map((key) => [key, item[key]])) : item);
  const seen = new Set<string>();
  return value.flatMap((item, i) => {
    const found = identity(item);
    const isRepeated = seen.has(found);
    seen.add(found);
    return isRepeated
      ? [{ reason: 'FieldValueDuplicate', message: `Duplicate value: ${found}`, field: `${path}[${i}]` }]
      : [];
  });
}

function objectViolations(schema: Schema, value: Record<string, unknown>, path: string): Cause[] {
  const below = (key: string) => (path === '' ? key : `${path}.${key}`);
  const missing = (schema.required ?? []).filter((key) => value[key] === undefined);
  const causes = missing.map((key) => required(below(key)));
  const count = Object.keys(value).length;
  if (schema.minProperties !== undefined && count < schema.minProperties) {
    causes.push(
      invalidValue(path, count, `${path} in body should have at least ${schema.minProperties} properties`),
    );
  }
  const look = path === '' ? fieldViolations : violations;
  for (const [key, field] of Object.entries(schema.properties ?? {}))
    if (value[key] !== undefined) causes.push(...look(field, value[key], below(key)));
  const { additionalProperties: rest } = schema;
  if (typeof rest !== 'object') return causes;
  const others = Object.keys(value).filter((key) => !schema.properties?.[key]);
  return [...causes, ...others.flatMap((key) => violations(rest, value[key], below(key)))];
}

/** Frozen values in which a schema found nothing wrong. */
const fitting = new WeakMap<object, Schema>();

/** Of a field of the whole object, such as its spec: what a write leaves as it was still fits. */
function fieldViolations(schema: Schema, value: unknown, path: string): Cause[] {
  if (!isObject(value)) return violations(schema, value, path);
  if (fitting.get(value) === schema) return [];
  const causes = violations(schema, value, path);
  if (causes.length === 0 && Object.isFrozen(value)) fitting.set(value, schema);
  return causes;
}

const unchecked =
  'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
/** What does not keep the rules from being asked. */
const plain =
  /should be (?:less|greater) than|should match|should have at least|^Invalid value: "": Checked value/;

/** Why the object is refused; where rules in the schema cannot be asked, also that these were not looked at. */
export function refusalsOf(schema: Schema, next: unknown, previous: unknown): Cause[] {
  const causes = violations(schema, next);
  if (!hasRules(schema)) return causes;
  const isSound = causes.every(({ message }) => plain.test(message));
  if (isSound) return [...causes, ...ruleViolations({ schema, value: next, previous, path: '' })];
  return [...causes, { reason: 'FieldValueInvalid', message: unchecked, field: '<nil>' }];
}
