import type { Ownership } from '../dialects/status-input.ts';
import { type Checkpoint, passing } from '../machine/checkpoint.ts';
import type { Subject } from './definition.ts';

/** The UID of the Node that was drained, as far as the time of that allowed. */
export function drainedNode(checkpoint: Checkpoint): string | undefined {
  const as = passing(checkpoint, 'drain');
  return as === 'done' || as === 'timed-out' ? checkpoint.node : undefined;
}

/**
 * In the place of a UID: the Node that the Machine names is another server's, and none is its own. An older instance
 * finds that no Node has this UID, and leaves the Node alone as well.
 */
const noOwnNode = 'none';

/**
 * The UID to remember as that of the Machine's own Node when a phase is left. The first one that was seen stays, except
 * where it belongs to another server.
 */
export function nodeToRemember(
  { machine, checkpoint }: Subject,
  whose: Ownership | undefined,
): string | undefined {
  const { node: before } = checkpoint;
  if (whose === undefined || whose.kind === 'unknown') return before;
  if (whose.kind === 'another') return isReplaced(checkpoint, whose.uid) ? before : noOwnNode;
  const isFoundInstead = machine.nodeName !== undefined && whose.name !== machine.nodeName;
  return before === undefined || before === noOwnNode || isFoundInstead ? whose.uid : before;
}

/** Whether the Machine's own Node was seen by now. */
export const hasSeenOwn = ({ node }: Checkpoint): boolean => node !== undefined && node !== noOwnNode;

/** Whether another Node has taken the name of the one that was seen as the Machine's own. */
export const isReplaced = ({ node }: Checkpoint, uid: string): boolean =>
  node !== undefined && node !== noOwnNode && node !== uid;

/** Why a Node is left that registered under the same name since the Machine's was seen; undefined where it did not. */
export const anotherNode = (
  { checkpoint: { node } }: Pick<Subject, 'checkpoint'>,
  { name, uid }: { name: string; uid: string },
): string | undefined =>
  node !== undefined && node !== uid
    ? `Node ${name} is another one than the Machine had: it is left alone`
    : undefined;

/** As in all Machine APIs: somebody's finalizer may keep it. */
export const nothingWaitsFor = (name: string): string =>
  `Node ${name} is being deleted, and nothing waits for its end`;
