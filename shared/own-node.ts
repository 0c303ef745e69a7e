import { passing } from './dialects/passing.ts';
import type { Node } from './kubernetes/objects.ts';
import type { Checkpoint } from './machine/checkpoint.ts';
import type { Subject } from './phase-definition.ts';

/**
 * Why a Node is one of another server, as far as both say which is theirs; undefined where it is not, and where it was
 * drained: then it is the Machine's own. One whose volumes alone were looked at is no more so for that. Of another one
 * in the place of that Node `anotherNode` tells.
 */
export function foreignNode({ machine, dialect, checkpoint }: Subject, node: Node): string | undefined {
  const { providerId: own } = machine;
  const other = node.spec?.providerID;
  if (isJudged(checkpoint, node.metadata.uid) || !own || !other || dialect.isSameServer(own, other))
    return undefined;
  return `Node ${node.metadata.name} has providerID ${other}, the Machine ${own}`;
}

/** Drained, as far as its time allowed, or another one than the Machine is known to have had. */
function isJudged(checkpoint: Checkpoint, uid: string | undefined): boolean {
  const as = passing(checkpoint, 'drain');
  if (checkpoint.node === undefined) return false;
  return checkpoint.node !== uid || as === 'done' || as === 'timed-out';
}

/** Why a Node is left that registered under the same name after the drain; undefined where it did not. */
export const anotherNode = (
  { checkpoint }: Subject,
  { name, uid }: { name: string; uid: string },
): string | undefined =>
  checkpoint.node === undefined || checkpoint.node === uid
    ? undefined
    : `Node ${name} is another one than the Machine had: it is left alone`;

/** As in all Machine APIs: somebody's finalizer may keep it. */
export const nothingWaitsFor = (name: string): string =>
  `Node ${name} is being deleted, and nothing waits for its end`;
