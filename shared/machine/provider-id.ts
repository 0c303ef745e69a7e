/**
 * Whether two provider IDs may name one server. What a provider and a cloud's own controller write may differ in form:
 * `openstack:///f1a4` and `openstack://region/f1a4`, or a resource group in capitals. The last part decides: an ID that
 * differs only in its form must not keep a Node from its drain.
 */
export const isSameServer = (one: string, other: string): boolean =>
  partsOf(one).at(-1) === partsOf(other).at(-1);

/**
 * Whether two provider IDs name one server for sure: one of them lacks parts, and no part contradicts. Servers of scale
 * sets are numbered from zero in each set, so the last part alone finds no Node.
 */
export function differsOnlyInForm(one: string, other: string): boolean {
  const [short = [], long = []] = [partsOf(one), partsOf(other)].toSorted((a, b) => a.length - b.length);
  return isSameServer(one, other) && short.every((part) => long.includes(part));
}

const partsOf = (id: string): string[] =>
  id
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '');
