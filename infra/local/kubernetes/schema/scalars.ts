import type { Cause } from '../discovery/resource.ts';
import { invalidValue } from '../objects/status.ts';
import type { Schema } from './schema.ts';

const patterns = new WeakMap<Schema, RegExp>();

/** Compiled once for each schema. */
function patternOf(schema: Schema, text: string): RegExp {
  const known = patterns.get(schema);
  if (known) return known;
  const pattern = new RegExp(text, 'u');
  patterns.set(schema, pattern);
  return pattern;
}

const dateTime = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** Why a text does not fit, in the API server's words. */
export function textViolations(schema: Schema, value: string, path: string): Cause[] {
  const { minLength, maxLength, pattern, format } = schema;
  if (maxLength !== undefined && Buffer.byteLength(value) > maxLength) {
    const message = `Too long: may not be more than ${maxLength} bytes`;
    return [{ reason: 'FieldValueTooLong', message, field: path }];
  }
  const causes: Cause[] = [];
  if (minLength !== undefined && value.length < minLength) {
    causes.push(invalidValue(path, value, `${path} in body should be at least ${minLength} chars long`));
  }
  if (pattern !== undefined && !patternOf(schema, pattern).test(value)) {
    causes.push(invalidValue(path, value, `${path} in body should match '${pattern}'`));
  }
  if (format === 'date-time' && !dateTime.test(value)) {
    const why = `${path} in body must be of type date-time: ${JSON.stringify(value)}`;
    causes.push(invalidValue(path, value, why));
  }
  return causes;
}

/** Why a number of the right type does not fit, in the API server's words. */
export function numberViolations({ minimum, maximum, format }: Schema, value: number, path: string): Cause[] {
  const causes: Cause[] = [];
  if (format === 'int32' && (value < -(2 ** 31) || value >= 2 ** 31)) {
    causes.push(notInt32(path));
  }
  if (minimum !== undefined && value < minimum) {
    causes.push(invalidValue(path, value, `${path} in body should be greater than or equal to ${minimum}`));
  }
  if (maximum !== undefined && value > maximum) {
    causes.push(invalidValue(path, value, `${path} in body should be less than or equal to ${maximum}`));
  }
  return causes;
}

/** The API server does not say the value, nor where but in words. */
export function notInt32(path: string): Cause {
  const why = `Checked value must be of type integer with format int32 in ${path}`;
  return invalidValue('<nil>', '', why);
}
