import { isObject, listOf, objectOf, textAt } from '../server/json.ts';

/** What a selector asks of one label. Gt and Lt are known in text alone. */
export interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly unknown[];
}

/** Whether labels match a LabelSelector object; none matches nothing, an empty one everything. */
export function selects(selector: unknown, labels: Record<string, string> = {}): boolean {
  if (!isObject(selector)) return false;
  const wanted = Object.entries(objectOf(selector.matchLabels));
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    listOf(selector.matchExpressions).every((one) => isMet(requirementOf(one), labels))
  );
}

const requirementOf = (expression: unknown): Requirement => ({
  key: textAt(expression, 'key'),
  operator: textAt(expression, 'operator'),
  values: listOf(objectOf(expression).values),
});

export function isMet({ key, operator, values }: Requirement, labels: Record<string, string>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  if (operator === 'In') return value !== undefined && values.includes(value);
  if (operator === 'NotIn') return value === undefined || !values.includes(value);
  if (operator === 'Exists') return value !== undefined;
  if (operator !== 'Gt' && operator !== 'Lt') return value === undefined;
  if (value === undefined || !/^-?\d+$/.test(value)) return false;
  return operator === 'Gt' ? Number(value) > Number(values[0]) : Number(value) < Number(values[0]);
}
