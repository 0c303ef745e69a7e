/** How two provider IDs stand to each other. */
type Likeness =
  | 'equal'
  /** One of them lacks parts, or has other capitals, and no part contradicts. */
  | 'in-form'
  | 'contradicting';

/**
 * What a provider and a cloud's own controller write may differ in form: `openstack:///f1a4` and
 * `openstack://region/f1a4`, or a resource group in capitals. Servers of scale sets are numbered from zero in each set: so
 * all parts count, and not the last one alone.
 */
export function compareProviderIds(one: string, other: string): Likeness {
  if (one === other) return 'equal';
  const [short = [], long = []] = [partsOf(one), partsOf(other)].toSorted((a, b) => a.length - b.length);
  const isSameEnd = short.at(-1) !== undefined && short.at(-1) === long.at(-1);
  return isSameEnd && short.every((part) => long.includes(part)) ? 'in-form' : 'contradicting';
}

const partsOf = (id: string): string[] =>
  id
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '');
