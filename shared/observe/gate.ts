import type { Gate, GatedStep, Observed } from '../dialects/gate.ts';
import type { Subject } from '../phase/definition.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import { limitStart } from '../phase/time-limit.ts';
import { sightInfrastructure } from './owned-object.ts';

/** A gate that is closed: as what the step is passed, and why. */
export type Closed = Gate & { allowed: false };

/** Whether a step is to be done at all. The infrastructure is read only when nothing else closes the gate. */
export async function observeGate(
  snapshot: Snapshot,
  subject: Subject,
  step: GatedStep,
): Promise<Closed | undefined> {
  const early = unreadGate(snapshot, subject, step);
  if (early !== undefined) return early;
  // An instance that passed the drain so may have seen the infrastructure go, after this one has read it.
  const isFresh = subject.checkpoint.passed.drain?.as === 'not-applicable';
  return closedBy(subject, step, snapshot, await sightInfrastructure(snapshot, subject.machine, isFresh));
}

/** What closes the gate without reading anything. */
export const unreadGate = (snapshot: Snapshot, subject: Subject, step: GatedStep): Closed | undefined =>
  closedBy(subject, step, snapshot, { kind: 'unseen' });

function closedBy(
  subject: Subject,
  step: GatedStep,
  snapshot: Snapshot,
  infrastructure: Observed,
): Closed | undefined {
  const { nodeDeletion } = subject;
  // This may change midway: the Cluster is being deleted, and its Nodes have no owner any more.
  if (!nodeDeletion.allowed) return { allowed: false, passing: 'not-applicable', why: nodeDeletion.why };
  // A clock that was ahead when the look began may be right by now. It would end a time that begins now.
  const now = Math.min(snapshot.beganAt, snapshot.now());
  const startedAt = subject.nodeSearch?.kind === 'several' ? undefined : limitStart(subject);
  const input = { startedAt, now, infrastructure };
  const gate = subject.dialect.gate(step, subject.machine, input);
  return gate.allowed ? undefined : gate;
}
