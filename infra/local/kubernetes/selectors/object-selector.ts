import { isObject, listOf, objectOf, textAt } from '../server/json.ts';

/** Whether labels match a LabelSelector object; none matches nothing, an empty one everything. */
export function selects(selector: unknown, labels: Record<string, string>): boolean {
  if (!isObject(selector)) return false;
  const wanted = Object.entries(objectOf(selector.matchLabels));
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    listOf(selector.matchExpressions).every((one) => holds(one, labels))
  );
}

function holds(expression: unknown, labels: Record<string, string>): boolean {
  const value = labels[textAt(expression, 'key')];
  const values = listOf(objectOf(expression).values);
  switch (textAt(expression, 'operator')) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}
