import { passing } from './dialects/passing.ts';
import type { Node } from './kubernetes/objects.ts';
import type { Checkpoint } from './machine/checkpoint.ts';
import type { Subject } from './phase-definition.ts';
import type { Sightings } from './runtime/look.ts';

/**
 * Why a Node is one of another server, as far as both say which is theirs; undefined where it is not, and where it was
 * drained: then it is the Machine's own. One whose volumes alone were looked at is no more so for that. Of another Node
 * in the place of one that is known `anotherNode` tells.
 */
export function foreignNode({ machine, dialect, checkpoint }: Subject, node: Node): string | undefined {
  const { name, uid } = node.metadata;
  if (drainedNode(checkpoint) !== undefined || isAnother(checkpoint, uid)) return undefined;
  const { providerId: own, nodeUid } = machine;
  const other = node.spec?.providerID;
  if (own && other)
    return dialect.isSameServer(own, other)
      ? undefined
      : `Node ${name} has providerID ${other}, the Machine ${own}`;
  // A server that took the name of one that is gone has registered a Node of its own.
  if (nodeUid === undefined || nodeUid === uid) return undefined;
  return `Node ${name} has UID ${uid}, the Machine's nodeRef ${nodeUid}`;
}

/** The UID of the Node that was drained, as far as the time of that allowed. */
export function drainedNode(checkpoint: Checkpoint): string | undefined {
  const as = passing(checkpoint, 'drain');
  return as === 'done' || as === 'timed-out' ? checkpoint.node : undefined;
}

/** The UID of the Node that a look came across. What is drained is the Machine's own; other phases just look at it. */
export function ownNodeUid(subject: Subject, { node, nodeUid }: Sightings): string | undefined {
  if (node.kind !== 'present') return nodeUid;
  const isOwn = subject.checkpoint.phase === 'drain' || foreignNode(subject, node.object) === undefined;
  return isOwn ? node.object.metadata.uid : undefined;
}

const isAnother = ({ node }: Checkpoint, uid: string | undefined): boolean =>
  node !== undefined && node !== uid;

/** Why a Node is left that registered under the same name since the Machine's was seen; undefined where it did not. */
export const anotherNode = (
  { checkpoint }: Subject,
  { name, uid }: { name: string; uid: string },
): string | undefined =>
  isAnother(checkpoint, uid)
    ? `Node ${name} is another one than the Machine had: it is left alone`
    : undefined;

/** As in all Machine APIs: somebody's finalizer may keep it. */
export const nothingWaitsFor = (name: string): string =>
  `Node ${name} is being deleted, and nothing waits for its end`;
