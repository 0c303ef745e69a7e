import type { Ownership } from '../dialects/status-input.ts';
import { type Checkpoint, passing } from '../machine/checkpoint.ts';
import type { Subject } from './definition.ts';

/** The UID of the drained Node, also if its drain timed out. */
export function drainedNode(checkpoint: Checkpoint): string | undefined {
  const as = passing(checkpoint, 'drain');
  return as === 'done' || as === 'timed-out' ? checkpoint.node : undefined;
}

/**
 * Stands in the place of a UID: the Machine names another server's Node, and none is its own. An older instance finds
 * no Node with this UID, and leaves the Node alone as well.
 */
const noOwnNode = 'none';

/**
 * The UID of the Machine's own Node, to save when a phase ends. The first one that was seen stays, unless it belongs
 * to another server.
 */
export function nodeToRemember(
  { machine, checkpoint }: Subject,
  ownership: Ownership | undefined,
): string | undefined {
  const { node: before } = checkpoint;
  if (ownership === undefined || ownership.kind === 'unknown') return before;
  if (ownership.kind === 'another') return isReplaced(checkpoint, ownership.uid) ? before : noOwnNode;
  const isFoundInstead = machine.nodeName !== undefined && ownership.name !== machine.nodeName;
  return before === undefined || before === noOwnNode || isFoundInstead ? ownership.uid : before;
}

/** Whether the Machine's own Node was seen. */
export const hasSeenOwn = ({ node }: Checkpoint): boolean => node !== undefined && node !== noOwnNode;

/** Whether another Node has taken the name of the one that was seen as the Machine's own. */
export const isReplaced = ({ node }: Checkpoint, uid: string): boolean =>
  node !== undefined && node !== noOwnNode && node !== uid;

/** Why a Node stays that took the name of the Machine's own Node. Undefined if it did not. */
export const anotherNode = (
  { checkpoint: { node } }: Pick<Subject, 'checkpoint'>,
  { name, uid }: { name: string; uid: string },
): string | undefined =>
  node !== undefined && node !== uid
    ? `Node ${name} is another one than the Machine had: it is left alone`
    : undefined;

/** As in all Machine APIs: a finalizer may keep the Node. */
export const nothingWaitsFor = (name: string): string =>
  `Node ${name} is being deleted, and nothing waits for its end`;
