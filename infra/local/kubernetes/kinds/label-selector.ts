import { isObject, listOf, objectOf, textAt } from '../json.ts';
import { flawOfKey, flawOfLabelValue } from '../names.ts';
import { type Cause, forbidden, invalidValue, required } from '../status.ts';

/** Why a LabelSelector in an object is refused; none is none to refuse. */
export function selectorRefusals(field: string, selector: unknown): Cause[] {
  if (!isObject(selector)) return [];
  const labels = Object.entries(objectOf(selector.matchLabels));
  return [
    ...labels.flatMap(([key, value]) => labelRefusals(`${field}.matchLabels`, key, value)),
    ...listOf(selector.matchExpressions).flatMap((one, i) =>
      requirementRefusals(`${field}.matchExpressions[${i}]`, one),
    ),
  ];
}

function labelRefusals(field: string, key: string, value: unknown): Cause[] {
  return [...flawed(field, key, flawOfKey), ...flawed(field, String(value), flawOfLabelValue)];
}

function requirementRefusals(field: string, requirement: unknown): Cause[] {
  const values = listOf(objectOf(requirement).values);
  return [
    ...operatorRefusals(field, textAt(requirement, 'operator'), values.length > 0),
    ...flawed(`${field}.key`, textAt(requirement, 'key'), flawOfKey),
    ...values.flatMap((value, i) => flawed(`${field}.values[${i}]`, String(value), flawOfLabelValue)),
  ];
}

function operatorRefusals(field: string, operator: string, hasValues: boolean): Cause[] {
  if (operator === 'In' || operator === 'NotIn')
    return hasValues
      ? []
      : [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
  if (operator === 'Exists' || operator === 'DoesNotExist')
    return hasValues
      ? [forbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
      : [];
  return [invalidValue(`${field}.operator`, operator, 'not a valid selector operator')];
}

function flawed(field: string, text: string, flawOf: (text: string) => string | undefined): Cause[] {
  const flaw = flawOf(text);
  return flaw === undefined ? [] : [invalidValue(field, text, flaw)];
}
