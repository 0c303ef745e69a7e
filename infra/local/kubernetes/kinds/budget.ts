import type { Cause, KindRules } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { flawed, flawOfKey, flawOfLabelValue, labelRefusals } from '../objects/metadata-rules.ts';
import { forbidden, invalidValue, required, unsupported } from '../objects/status.ts';
import { at, isObject, listOf, objectOf, textAt } from '../server/json.ts';

const counts = ['currentHealthy', 'desiredHealthy', 'disruptionsAllowed', 'expectedPods'];
const noneYet = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
const policies = ['AlwaysAllow', 'IfHealthyBudget'];

/** PodDisruptionBudgets: counts begin at zero, and the numbers must make sense. */
export const budgetRules: KindRules = {
  hasGeneration: true,
  needsVersion: true,
  zero: { spec: {}, status: noneYet },
  defaults: (budget) => ({ ...budget, status: { ...noneYet, ...objectOf(budget.status) } }),
  onCreate: (budget) => ({ ...budget, status: noneYet }),
  refusals: (budget) => [...specRefusals(budget), ...statusRefusals(budget)],
};

function specRefusals(budget: KubeObject): Cause[] {
  const {
    minAvailable,
    maxUnavailable,
    selector,
    unhealthyPodEvictionPolicy: policy,
  } = objectOf(budget.spec);
  const causes: Cause[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const shown = {
      MinAvailable: minAvailable,
      Selector: selector,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: policy ?? null,
    };
    causes.push(invalidValue('spec', shown, 'minAvailable and maxUnavailable cannot be both set'));
  }
  causes.push(
    ...amountRefusals('spec.minAvailable', minAvailable),
    ...amountRefusals('spec.maxUnavailable', maxUnavailable),
  );
  causes.push(...selectorRefusals('spec.selector', selector));
  const isKnown = policy === undefined || policies.some((one) => one === policy);
  return isKnown ? causes : [...causes, unsupported('spec.unhealthyPodEvictionPolicy', policy, policies)];
}

function amountRefusals(field: string, amount: unknown): Cause[] {
  if (typeof amount === 'number' && amount < 0)
    return [invalidValue(field, amount, 'must be greater than or equal to 0')];
  if (typeof amount !== 'string') return [];
  const percent = /^(\d+)%$/.exec(amount)?.[1];
  if (percent === undefined) {
    const rule = `a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`;
    return [invalidValue(field, amount, rule)];
  }
  return Number(percent) > 100 ? [invalidValue(field, amount, 'must not be greater than 100%')] : [];
}

function statusRefusals(budget: KubeObject): Cause[] {
  return counts.flatMap((field) => {
    const value = at(budget, 'status', field);
    return typeof value === 'number' && value < 0
      ? [invalidValue(`status.${field}`, value, 'must be greater than or equal to 0')]
      : [];
  });
}

/** Why a LabelSelector in an object is refused; none is none to refuse. */
function selectorRefusals(field: string, selector: unknown): Cause[] {
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
