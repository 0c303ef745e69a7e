import type { Node } from './objects.ts';

/**
 * Whether the kubelet is not heard: the first condition of type Ready is Unknown. A Node without that condition, or with a
 * False one, is reachable.
 */
export const isUnreachable = (node: Node): boolean =>
  node.status?.conditions?.find((condition) => condition.type === 'Ready')?.status === 'Unknown';

/** Since when, as far as that condition says (RFC 3339). */
export function unreachableSince(node: Node): string | undefined {
  const ready = node.status?.conditions?.find((condition) => condition.type === 'Ready');
  return ready?.status === 'Unknown' ? ready.lastTransitionTime : undefined;
}
