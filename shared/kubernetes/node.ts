import type { Node } from './objects.ts';

/**
 * Nobody has heard from its kubelet: the first condition of type Ready is Unknown. A Node without that condition,
 * or with a False one, is reachable.
 */
export const isUnreachable = (node: Node): boolean =>
  node.status?.conditions?.find((condition) => condition.type === 'Ready')?.status === 'Unknown';
