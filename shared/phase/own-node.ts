import { passing } from '../dialects/passed-phases.ts';
import type { Whose } from '../dialects/status-input.ts';
import type { Node } from '../kubernetes/objects.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Machine } from '../machine/machine.ts';
import { isSameServer } from '../machine/provider-id.ts';
import { compareBytes } from '../text/byte-order.ts';
import type { Subject } from './definition.ts';

type Judged = { kind: 'own' } | Exclude<Whose, { kind: 'own' }>;

/**
 * Whose the Node is that a Machine names. Provider IDs decide where both are known; else a UID in the nodeRef that is not
 * the Node's leaves it unknown. No effect of our own counts: that we drained a Node does not make it the Machine's.
 * @param providerId of the Machine, or of its infrastructure object
 */
export function judgeNode(machine: Machine, providerId: string | undefined, node: Node): Judged {
  const { name, uid = '' } = node.metadata;
  const other = node.spec?.providerID;
  if (providerId && other) {
    if (isSameServer(providerId, other)) return { kind: 'own' };
    const ids = `is another server's and is left alone: it has providerID ${other}, the Machine ${providerId}`;
    return { kind: 'another', uid, why: `Node ${name} ${ids}` };
  }
  if (machine.nodeUid === undefined || machine.nodeUid === uid) return { kind: 'own' };
  const uids = `Node ${name} has UID ${uid}, the Machine's nodeRef ${machine.nodeUid}`;
  const why = `${uids}, and no provider IDs tell whether it is the Machine's own`;
  return { kind: 'unknown', why };
}

/** What is said where several Nodes have the Machine's providerID, and what ends it. */
export function severalNodes(names: readonly string[], providerId: string | undefined): string {
  const all = names.toSorted(compareBytes).join(', ');
  const id = providerId === undefined ? "the Machine's providerID" : `providerID ${providerId}`;
  return (
    `several Nodes have ${id}: ${all}; which one is the Machine's own is unknown. ` +
    'This ends when one Node is left, the Machine is excluded from the drain, or its Cluster or control plane is deleted'
  );
}

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
  whose: Whose | undefined,
): string | undefined {
  const { node: before } = checkpoint;
  if (whose === undefined || whose.kind === 'unknown') return before;
  if (whose.kind === 'another') return isReplaced(checkpoint, whose.uid) ? before : noOwnNode;
  const isFoundInstead = machine.nodeName !== undefined && whose.name !== machine.nodeName;
  return before === undefined || before === noOwnNode || isFoundInstead ? whose.uid : before;
}

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
