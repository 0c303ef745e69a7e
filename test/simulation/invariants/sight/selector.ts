/** A label selector, as Kubernetes writes it. */
export interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** Whether it selects these labels, by the book and nothing more; `unreadable` where it makes no sense. */
export function selects(
  { matchLabels = {}, matchExpressions = [] }: Selector,
  labels: Readonly<Record<string, string>>,
): boolean | 'unreadable' {
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    const value = labels[key];
    if (operator === 'Exists') return values.length > 0 ? 'unreadable' : value !== undefined;
    if (operator === 'DoesNotExist') return values.length > 0 ? 'unreadable' : value === undefined;
    if (!['In', 'NotIn'].includes(operator) || values.length === 0) return 'unreadable';
    const isIn = value !== undefined && values.includes(value);
    return operator === 'In' ? isIn : !isIn;
  });
  if (expressions.includes('unreadable')) return 'unreadable';
  const isLabelled = Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
  return isLabelled && expressions.every((fits) => fits === true);
}
