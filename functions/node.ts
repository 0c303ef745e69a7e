import type { Conclusion, Decision } from '../shared/decision.ts';
import type { Node } from '../shared/kubernetes/objects.ts';
import { type DeleteOutcome, NoAccess, nodes } from '../shared/kubernetes/port.ts';
import { type EventFact, telling } from '../shared/machine/event-fact.ts';
import { anotherNode, drainedNode, foreignNode, nothingWaitsFor } from '../shared/own-node.ts';
import { definePhase, phaseStart, type Subject } from '../shared/phase-definition.ts';
import type { Look } from '../shared/runtime/look.ts';

type NodeSeen =
  | { kind: 'not-allowed'; why: string }
  | { kind: 'no-name' }
  | { kind: 'absent' }
  /** A Node of that name that is not the Machine's own. */
  | { kind: 'foreign'; why: string }
  | {
      kind: 'present';
      name: string;
      uid: string;
      isTerminating: boolean;
      deletion: DeleteOutcome | undefined;
    };

/** The peer asks every two seconds for ten, and then ever more slowly. */
const firstRetrySeconds = 2;
const lastRetrySeconds = 30;
/** A phase this young has not asked for anything yet; later looks read first, since what was marked need not be again. */
const newMilliseconds = 1_000;
const failure = 'Error deleting Node, please check controller logs for errors';

/** Deletes the Machine's own Node, and no other of that name, within its timeout. */
export const node = definePhase<NodeSeen>({
  name: 'node',

  async observe(look, subject) {
    const { machine, nodeDeletion, checkpoint } = subject;
    if (!nodeDeletion.allowed) return { kind: 'not-allowed', why: nodeDeletion.why };
    if (machine.nodeName === undefined) return { kind: 'no-name' };
    // The Machine's own has gone since it was looked at: what has come in its place is another server's.
    if (look.wasReplaced('workload', nodes, { name: machine.nodeName })) return absent(look);
    const drained = drainedNode(checkpoint);
    const isNew = look.now() - Date.parse(checkpoint.since) < newMilliseconds;
    // Which Node is meant is known since the drain: the first delete itself tells whether it is still there.
    if (drained !== undefined && isNew && look.deletion(drained) === undefined)
      return unread(machine.nodeName, drained);
    const reading = await readNode(look, subject, machine.nodeName);
    if (reading.kind === 'no-access') return { kind: 'not-allowed', why: reading.why };
    const { object } = reading;
    if (object === undefined) return absent(look);
    look.sightings.node = { kind: 'present', object };
    const why = foreignNode(subject, object);
    return why === undefined ? present(look, object) : { kind: 'foreign', why };
  },

  decide(subject, seen, now) {
    if (seen.kind === 'not-allowed') return { kind: 'advance', passing: 'not-applicable', message: seen.why };
    if (seen.kind === 'no-name')
      return { kind: 'advance', passing: 'done', message: 'the Machine has no Node' };
    if (seen.kind === 'absent')
      return { kind: 'advance', passing: 'done', message: 'the Node has been deleted' };
    if (seen.kind === 'foreign') return { kind: 'advance', passing: 'not-applicable', message: seen.why };
    const another = anotherNode(subject, seen);
    if (another !== undefined) return { kind: 'advance', passing: 'done', message: another };
    if (seen.deletion?.kind === 'refused')
      return failed(subject, `error deleting node ${seen.name}: ${seen.deletion.message}`, now);
    if (seen.isTerminating || seen.deletion !== undefined)
      return { kind: 'advance', passing: 'done', message: nothingWaitsFor(seen.name) };
    return remove(seen);
  },

  blind: (subject, why, now) => failed(subject, why, now),
});

type Present = NodeSeen & { kind: 'present' };

const unread = (name: string, uid: string): Present => ({
  kind: 'present',
  name,
  uid,
  isTerminating: false,
  deletion: undefined,
});

function absent({ sightings }: Look): NodeSeen {
  sightings.node = { kind: 'absent' };
  return { kind: 'absent' };
}

function present(look: Look, { metadata }: Node): Present {
  const { name, uid = '', deletionTimestamp } = metadata;
  const isTerminating = deletionTimestamp !== undefined;
  return { kind: 'present', name, uid, isTerminating, deletion: look.deletion(uid) };
}

/** As the original controller: a Node in a cluster nobody has the keys of stays. */
async function readNode(
  look: Look,
  { dialect }: Subject,
  name: string,
): Promise<{ kind: 'read'; object: Node | undefined } | { kind: 'no-access'; why: string }> {
  try {
    return { kind: 'read', object: await look.get('workload', nodes, { name }) };
  } catch (error) {
    if (!(error instanceof NoAccess) || !dialect.leavesNodeWithoutAccess) throw error;
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
  const facts = subject.dialect.events(subject.machine, { what: 'node-failed', why });
  if (isOver(subject, now)) return leftBehind(subject.machine.nodeName ?? '', facts);
  const report = { reason: 'DeletingNode', message: failure, error: why } as const;
  const seconds = retrySeconds(subject, now);
  const again = { kind: 'time', at: now + seconds * 1_000 } as const;
  return { kind: 'wait', until: [again], report, lookAgainSeconds: seconds, facts };
}

/**
 * A part of the time that the phase has lasted, and no longer than its timeout leaves; what nobody watches for must not
 * be asked for without end.
 */
function retrySeconds(subject: Subject, now: number): number {
  const lasted = (now - phaseStart(subject)) / 1_000;
  const left = Math.ceil((subject.machine.nodeDeletionTimeoutSeconds ?? 0) - lasted);
  const growing = Math.min(lastRetrySeconds, Math.max(firstRetrySeconds, Math.floor(lasted / 5)));
  return left > 0 ? Math.min(growing, left) : growing;
}

const isOver = (subject: Subject, now: number): boolean =>
  subject.dialect.isNodeDeletionOver(subject.machine, phaseStart(subject), now);

/** Nobody asks again: what the last try failed of is told here or nowhere. */
const leftBehind = (name: string, facts: EventFact[]): Conclusion => ({
  kind: 'advance',
  passing: 'timed-out',
  message: `Node ${name} could not be deleted in time and is left behind`,
  ...telling(facts),
});
