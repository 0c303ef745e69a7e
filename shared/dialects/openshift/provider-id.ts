/**
 * Whether two provider ids are those of one server. Nodes are also linked by their addresses, and what a provider and a
 * cloud's own controller write differs: `openstack:///f1a4` and `openstack://region/f1a4`, or a resource group in capitals.
 */
export const isSameServer = (one: string, other: string): boolean => serverOf(one) === serverOf(other);

const serverOf = (id: string): string | undefined =>
  id
    .toLowerCase()
    .split('/')
    .findLast((part) => part !== '');
