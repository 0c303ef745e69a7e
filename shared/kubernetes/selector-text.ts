/** A label selector as objects have it. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: Requirement[];
}

interface Requirement {
  key: string;
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  values?: string[];
}

/** A label selector in words that cannot be read. */
export class SelectorSyntaxError extends Error {
  constructor(part: string) {
    super(`${JSON.stringify(part)} is no requirement such as a=b, a!=b, a in (b, c), a notin (b), a or !a`);
    this.name = 'SelectorSyntaxError';
  }
}

/** Between requirements, not between the values of one. */
const separator = /,(?![^(]*\))/;
const key = String.raw`(?<key>[A-Za-z0-9][-A-Za-z0-9_./]*)`;
const equal = new RegExp(`^${key}\\s*(?<not>!?)={1,2}\\s*(?<value>[-A-Za-z0-9_.]*)$`);
const among = new RegExp(`^${key}\\s+(?<not>not)?in\\s*\\((?<values>[-A-Za-z0-9_., ]*)\\)$`);
const present = new RegExp(`^(?<not>!?)\\s*${key}$`);

/** The selector of kubectl's `-l` as objects have it. Throws SelectorSyntaxError. */
export function selectorOf(text: string): LabelSelector {
  const requirements = text.split(separator).map((part) => requirementOf(part.trim()));
  const labels = requirements.filter(isLabel).map(({ key: name, values = [] }) => [name, values[0] ?? '']);
  const expressions = requirements.filter((requirement) => !isLabel(requirement));
  return {
    ...(labels.length === 0 ? {} : { matchLabels: Object.fromEntries(labels) }),
    ...(expressions.length === 0 ? {} : { matchExpressions: expressions }),
  };
}

const isLabel = ({ operator, values = [] }: Requirement): boolean => operator === 'In' && values.length === 1;

function requirementOf(part: string): Requirement {
  const one = equal.exec(part)?.groups;
  if (one !== undefined) return oneOf(one, [one['value'] ?? '']);
  const several = among.exec(part)?.groups;
  if (several !== undefined)
    return oneOf(
      several,
      (several['values'] ?? '').split(',').map((value) => value.trim()),
    );
  const any = present.exec(part)?.groups;
  if (any === undefined) throw new SelectorSyntaxError(part);
  return { key: any['key'] ?? '', operator: any['not'] ? 'DoesNotExist' : 'Exists' };
}

const oneOf = (groups: Record<string, string>, values: string[]): Requirement => ({
  key: groups['key'] ?? '',
  operator: groups['not'] ? 'NotIn' : 'In',
  values,
});
