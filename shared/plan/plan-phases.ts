import { isPast, passing } from '../dialects/passed-phases.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Phase } from '../machine/phase.ts';
import type { PhaseOutcome } from '../machine/reason.ts';
import type { Subject } from '../phase/definition.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import type { PlannedPhase } from './deletion-plan.ts';
import type { PlannedNode } from './plan-node.ts';
import { type Planned, planning } from './plan-phase.ts';
import { comingTo } from './plan-subject.ts';
import { orUnread } from './unread.ts';

/** Each phase of the Machine's API, and what it would do as things stand. */
export async function planPhases(
  snapshot: Snapshot,
  subject: Subject,
  node: PlannedNode,
): Promise<PlannedPhase[]> {
  const planned: PlannedPhase[] = [];
  for (const phase of subject.dialect.phases) {
    const drained = planned.some(isDrainToCome) ? node.node?.metadata.uid : undefined;
    planned.push({ phase, ...(await planPhase(phase, snapshot, subject, { ...node, drained })) });
  }
  return planned;
}

const isDrainToCome = ({ phase, does }: PlannedPhase): boolean =>
  phase === 'drain' && does !== 'skip' && does !== 'passed';

async function planPhase(
  phase: Phase,
  snapshot: Snapshot,
  subject: Subject,
  { drained, ...node }: PlannedNode & { drained: string | undefined },
): Promise<Planned> {
  const passed = passedBefore(phase, subject.checkpoint);
  if (passed !== undefined) return (await heldAgain(phase, snapshot, subject, node)) ?? passed;
  if (subject.dialect.isDone(subject.machine, phase)) return doneBefore;
  return orUnread<Planned>(
    () => planning[phase](snapshot, comingTo(phase, subject, snapshot.now(), drained), node),
    (why) => ({ does: 'unknown', why }),
  );
}

const doneBefore: Planned = { does: 'skip', why: 'the Machine says that it is done' };

/** A hook that was set late holds all the same. */
async function heldAgain(
  phase: Phase,
  snapshot: Snapshot,
  subject: Subject,
  node: PlannedNode,
): Promise<Planned | undefined> {
  if (phase !== 'pre-drain' && phase !== 'pre-terminate') return undefined;
  const planned = await planning[phase](snapshot, subject, node);
  return planned.does === 'wait' ? planned : undefined;
}

const passedAs: Record<PhaseOutcome, string> = {
  done: 'it is done',
  excluded: 'the Machine was excluded from it',
  'timed-out': 'its time was over',
  'not-applicable': 'it was not for this Machine',
};

/** How the deletion has left a phase behind; undefined where it has not. Where nothing was to be done it left no trace. */
export function passedBefore(phase: Phase, checkpoint: Checkpoint | undefined): Planned | undefined {
  if (checkpoint === undefined || !isPast(checkpoint, phase)) return undefined;
  return { does: 'passed', why: passedAs[passing(checkpoint, phase) ?? 'done'] };
}
