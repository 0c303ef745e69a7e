import type { DeleteOutcome } from '../shared/kubernetes/client.ts';
import { NoCredentials } from '../shared/kubernetes/errors.ts';
import { nodes } from '../shared/kubernetes/resources.ts';
import { type MachineEvent, withEvents } from '../shared/machine/report.ts';
import { type OwnNode, observeOwnNode } from '../shared/observe/node.ts';
import type { Conclusion, Decision } from '../shared/phase/decision.ts';
import { definePhase, handedOnAt, reachedAt, type Subject } from '../shared/phase/definition.ts';
import { anotherNode, drainedNode, isReplaced, nothingWaitsFor } from '../shared/phase/own-node.ts';
import type { Snapshot } from '../shared/phase/snapshot.ts';
import { limitStart, retryAfter, startOrNow } from '../shared/phase/time-limit.ts';

type NodeSeen =
  | { kind: 'not-allowed'; why: string }
  | { kind: 'absent' }
  /** Not the Machine's own Node, or it is unknown whether it is. */
  | { kind: 'foreign'; why: string }
  | {
      kind: 'present';
      name: string;
      uid: string;
      /** Found by providerID: the Machine names another server's Node. */
      foundInstead?: true;
      isTerminating: boolean;
      deletion: DeleteOutcome | undefined;
    };

/** The peer asks every two seconds for ten seconds, then ever more slowly. */
const retry = { min: 2, max: 30 };
/** A phase this young has asked for nothing yet. Later looks read first: a Node that terminates needs no second delete. */
const newMilliseconds = 1_000;
const failure = 'Error deleting Node, please check controller logs for errors';

/** Deletes the Machine's own Node, and no other of that name, within its timeout. */
export const node = definePhase<NodeSeen>({
  name: 'node',

  async observe(snapshot, subject) {
    const { machine, nodeDeletion, checkpoint } = subject;
    if (!nodeDeletion.allowed) return { kind: 'not-allowed', why: nodeDeletion.why };
    // The Machine's own Node went since the last look. A Node that has its name now is another server's.
    if (wasReplaced(snapshot, machine.nodeName)) return absent(snapshot);
    const judged = judgedBefore(snapshot, subject);
    if (judged !== undefined) return judged;
    const own = await readOwnNode(snapshot, subject);
    if (own.kind === 'no-access') return { kind: 'not-allowed', why: own.why };
    if (own.kind === 'none') return { kind: 'absent' };
    if (own.kind !== 'own' && own.uid !== undefined && isReplaced(checkpoint, own.uid))
      return successor(snapshot, subject, own.uid);
    if (own.kind !== 'own') return { kind: 'foreign', why: own.why };
    const { name } = own.node.metadata;
    if (wasReplaced(snapshot, name)) return absent(snapshot);
    const found = present(snapshot, own);
    return name === machine.nodeName ? found : { ...found, foundInstead: true };
  },

  decide(subject, seen, now) {
    if (seen.kind === 'not-allowed') return { kind: 'advance', passing: 'not-applicable', message: seen.why };
    if (seen.kind === 'absent')
      return { kind: 'advance', passing: 'done', message: 'the Node has been deleted' };
    if (seen.kind === 'foreign') return { kind: 'advance', passing: 'not-applicable', message: seen.why };
    const another = seen.foundInstead === true ? undefined : anotherNode(subject, seen);
    if (another !== undefined) return { kind: 'advance', passing: 'done', message: another };
    if (seen.deletion?.kind === 'refused')
      return failed(subject, `error deleting node ${seen.name}: ${seen.deletion.message}`, now);
    if (seen.isTerminating || seen.deletion !== undefined)
      return { kind: 'advance', passing: 'done', message: nothingWaitsFor(seen.name) };
    return remove(seen);
  },

  onUnavailable: (subject, why, now) => failed(subject, why, now),
});

type Present = NodeSeen & { kind: 'present' };

const wasReplaced = (snapshot: Snapshot, name: string | undefined): boolean =>
  name !== undefined && snapshot.wasReplaced('workload', nodes, { name });

/**
 * The Node that this instance judged the Machine's own and drained. The delete itself shows whether it is still
 * there. Undefined if the Node must be read.
 */
function judgedBefore(snapshot: Snapshot, { checkpoint }: Subject): Present | undefined {
  const drained = drainedNode(checkpoint);
  const known = snapshot.nodeFinder.known();
  const isNew = snapshot.now() - reachedAt({ checkpoint }) < newMilliseconds;
  if (known === undefined || known.uid !== drained || !isNew) return undefined;
  if (snapshot.deletion(drained) !== undefined) return undefined;
  snapshot.observed.ownership = { kind: 'own', ...known };
  return { kind: 'present', ...known, isTerminating: false, deletion: undefined };
}

/** The Machine's own Node has gone, and another server's Node has its name. That needs no report. */
function successor(
  { observed }: Snapshot,
  { machine: { nodeName: name = '' } }: Subject,
  uid: string,
): Present {
  delete observed.ownership;
  return { kind: 'present', name, uid, isTerminating: false, deletion: undefined };
}

function absent({ observed }: Snapshot): NodeSeen {
  observed.node = { kind: 'absent' };
  return { kind: 'absent' };
}

function present(snapshot: Snapshot, { node: { metadata } }: OwnNode & { kind: 'own' }): Present {
  const { name, uid = '', deletionTimestamp } = metadata;
  const isTerminating = deletionTimestamp !== undefined;
  return { kind: 'present', name, uid, isTerminating, deletion: snapshot.deletion(uid) };
}

/** As in the original controller, a Node in a cluster without known credentials stays. */
async function readOwnNode(
  snapshot: Snapshot,
  subject: Subject,
): Promise<OwnNode | { kind: 'no-access'; why: string }> {
  try {
    return await observeOwnNode(snapshot, subject);
  } catch (error) {
    if (!(error instanceof NoCredentials) || !subject.dialect.leavesNodeWithoutAccess) throw error;
    return { kind: 'no-access', why: `the Node is left: ${error.message}` };
  }
}

function remove({ name, uid }: Present): Decision {
  const effect = {
    kind: 'delete',
    side: 'workload',
    resource: nodes,
    key: { name },
    uid,
    what: 'Node',
  } as const;
  return {
    kind: 'act',
    effects: [effect],
    report: { reason: 'DeletingNode', message: `Deleting Node ${name}` },
  };
}

function failed(subject: Subject, why: string, now: number): Conclusion {
  const events = subject.dialect.events(subject.machine, { what: 'node-failed', why });
  if (isOver(subject, now)) return leftBehind(subject.machine.nodeName, events, why);
  const report = { reason: 'DeletingNode', message: failure, error: why } as const;
  const seconds = retrySeconds(subject, now);
  const again = { kind: 'time', at: now + seconds * 1_000 } as const;
  return { kind: 'wait', until: [again], report, requeueAfterSeconds: seconds, events };
}

/**
 * A part of the time that the phase has lasted, and no longer than its timeout leaves. No watch shows the end, so the
 * pauses grow.
 */
function retrySeconds(subject: Subject, now: number): number {
  const lasted = (now - handedOnAt(subject)) / 1_000;
  const tried = (now - startOrNow(subject, now)) / 1_000;
  const left = Math.ceil((subject.machine.nodeDeletionTimeoutSeconds ?? 0) - tried);
  const seconds = retryAfter(lasted, retry);
  return left > 0 ? Math.min(seconds, left) : seconds;
}

const isOver = (subject: Subject, now: number): boolean =>
  subject.dialect.isNodeDeletionOver(subject.machine, limitStart(subject), now);

/** No later step follows, so this Event must name why the last attempt failed. */
function leftBehind(name: string | undefined, events: MachineEvent[], why: string): Conclusion {
  const written = withEvents(events);
  // The Node was never found, so there was nothing to delete.
  if (name === undefined)
    return {
      kind: 'advance',
      passing: 'not-applicable',
      message: `the Node could not be looked for: ${why}`,
      ...written,
    };
  const message = `Node ${name} could not be deleted in time and is left behind`;
  return { kind: 'advance', passing: 'timed-out', message, ...written };
}
