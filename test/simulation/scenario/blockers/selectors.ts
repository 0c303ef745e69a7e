import { at, listOf, objectOf, textAt, textsOf } from '../../../../infra/local/kubernetes/server/json.ts';

export type Labels = Readonly<Record<string, string>>;

/** Whether a selector of labels matches; an absent one matches everything, one that makes no sense is `invalid`. */
export function selects(selector: unknown, labels: Labels): boolean | 'invalid' {
  const expressions = listOf(at(selector, 'matchExpressions')).map((one) => holds(one, labels));
  if (expressions.includes('invalid')) return 'invalid';
  const pairs = Object.entries(objectOf(at(selector, 'matchLabels')));
  return pairs.every(([key, value]) => labels[key] === value) && expressions.every((one) => one === true);
}

function holds(expression: unknown, labels: Labels): boolean | 'invalid' {
  const value = labels[textAt(expression, 'key')];
  const isListed = value !== undefined && textsOf(at(expression, 'values')).includes(value);
  const answers: Record<string, boolean> = {
    In: isListed,
    NotIn: !isListed,
    Exists: value !== undefined,
    DoesNotExist: value === undefined,
  };
  return answers[textAt(expression, 'operator')] ?? 'invalid';
}

/** Both selectors of an entry. */
export function both(one: boolean | 'invalid', other: boolean | 'invalid'): boolean | 'invalid' {
  if (one === false || other === false) return false;
  return one === 'invalid' || other === 'invalid' ? 'invalid' : true;
}
