import type { Cause } from '../discovery/cause.ts';
import { flawed, flawOfKey, flawOfLabelValue, labelRefusals } from '../objects/names.ts';
import { forbidden, invalidValue, required } from '../objects/status.ts';
import { isObject, listOf, objectOf, textAt } from '../server/json.ts';

/** Why a LabelSelector in an object is refused; none is none to refuse. */
export function selectorRefusals(field: string, selector: unknown): Cause[] {
  if (!isObject(selector)) return [];
  return [
    ...labelRefusals(`${field}.matchLabels`, objectOf(selector.matchLabels)),
    ...listOf(selector.matchExpressions).flatMap((one, i) =>
      requirementRefusals(`${field}.matchExpressions[${i}]`, one),
    ),
  ];
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
