/**
 * Whether two provider ids are those of one server, by the cloud's name and the last part alone. A provider of this
 * API's time wrote `aws:////i-1`, and a kubelet `aws:///zone/i-1`. Rule: its noderefutil.
 */
export const isSameServer = (one: string, other: string): boolean => serverOf(one) === serverOf(other);

const serverOf = (id: string): string =>
  `${id.split(':')[0]} ${id.split('/').findLast((part) => part !== '')}`;
