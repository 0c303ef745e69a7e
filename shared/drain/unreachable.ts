import { unreachableSince } from '../kubernetes/node.ts';
import type { Node } from '../kubernetes/objects.ts';

/** What a drain does otherwise on a Node that cannot be reached, a sentence each. */
export const drainUnreachably: readonly string[] = [
  'evictions ask for a grace period of 1 s',
  'a Pod that is on its way is left behind 2 s after it was to be gone, and its containers may run until the server is gone',
  'a disruption budget that refuses an eviction still holds the drain',
];

/** `Node n1 is unreachable (since …)`. */
export function unreachableText(node: Node): string {
  const since = unreachableSince(node);
  const when = since === undefined ? 'since when it does not say' : `since ${since}`;
  return `Node ${node.metadata.name} is unreachable (${when})`;
}

/** Our own line, for who follows the deletion. */
export const unreachableRemark = (node: Node): string =>
  `${unreachableText(node)}: ${drainUnreachably.join('; ')}`;
