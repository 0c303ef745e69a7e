import type { LabelSelector } from './objects.ts';

type Labels = Record<string, string> | undefined;
type Expression = NonNullable<LabelSelector['matchExpressions']>[number];

/** An absent selector matches nothing, an empty one everything, as in policy/v1. */
export function matches(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (selector === undefined) return false;
  const pairs = Object.entries(selector.matchLabels ?? {});
  if (!pairs.every(([key, value]) => labels?.[key] === value)) return false;
  return (selector.matchExpressions ?? []).every((expression) => holds(expression, labels));
}

function holds(expression: Expression, labels: Labels): boolean {
  const value = labels?.[expression.key];
  const values = expression.values ?? [];
  switch (expression.operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
