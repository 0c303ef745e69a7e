import type { Checkpoint } from '../machine/checkpoint.ts';
import { limitSecondsOf } from '../machine/machine.ts';
import type { Advance } from '../machine/messages.ts';
import type { Phase } from '../machine/phase.ts';
import type { PhaseExit } from '../machine/reason.ts';
import { beginningAt, isLongBefore } from '../machine/timestamps.ts';
import type { Move } from '../phase/decision.ts';
import type { Subject } from '../phase/definition.ts';
import { nextPhase } from '../phase/next-phase.ts';
import { nodeToRemember } from '../phase/own-node.ts';
import { startOrNow } from '../phase/time-limit.ts';
import { advanced, retreated } from '../phase/transitions.ts';
import { isToBeginAnew } from '../read/staleness.ts';
import type { StepResult } from '../runtime/environment.ts';
import { goingOn } from '../runtime/trace-propagation.ts';
import type { Instant } from '../time/clock.ts';
import { saveCheckpoint } from '../write/checkpoint.ts';
import { sayAnotherNode } from './another-node.ts';
import { scheduleFirst, tellPassedOver, tellStart } from './begin.ts';
import { gone } from './gone.ts';
import { note } from './journal.ts';
import { sayConcluded } from './log.ts';
import { record } from './record.ts';
import type { Step } from './step.ts';

/** Saves that the phase was passed (or returned to), tells it, and hands on to the next. */
export async function changePhase(step: Step, decision: Move): Promise<StepResult | 'conflict'> {
  const { env, arrived, journal } = step;
  if (!(await sayAnotherNode(step))) return 'conflict';
  const { subject } = arrived;
  if (!arrived.isSaved) await scheduleFirst(step);
  // Only now: time that went by while the store was asked is no part of the next phase's limit.
  const checkpoint = nextCheckpoint(step, decision);
  if (isTakenAtItsWord(checkpoint, decision) && isToBeginAnew(step)) return 'conflict';
  const saved = await saveCheckpoint(env, subject, checkpoint);
  if (saved.kind === 'conflict') return 'conflict';
  if (saved.kind === 'gone') return gone(step);
  if (!arrived.isSaved) tellStart(step);
  sayConcluded(step, decision);
  const as = decision.kind === 'advance' ? decision.passing : 'returned';
  countPassing(step, as);
  env.wakeUps.drop(subject.machine.ref.uid);
  note(journal, subject.checkpoint, { what: 'advanced', reason: as, message: decision.message });
  const about = { machine: saved.machine.ref, phase: checkpoint.phase, seq: checkpoint.seq };
  const from = subject.checkpoint.phase;
  journal.announcements.push({ ...about, kind: 'advanced', from, as, message: decision.message });
  if (decision.kind === 'advance') journal.facts.push(...(decision.facts ?? []));
  tellPassedOver(step, checkpoint, [from, ...Object.keys(subject.checkpoint.passed)]);
  await record(step);
  const next: Advance = { ...about, resourceVersion: saved.machine.resourceVersion, ...goingOn(env) };
  return { next, announcements: journal.announcements };
}

/**
 * The wait for volumes and the deletion of the server do not read the Node's Pods if they were handed on just now: what the
 * step saw must not be old.
 */
const isTakenAtItsWord = ({ phase }: Checkpoint, { kind }: Move): boolean =>
  kind === 'advance' && takers.includes(phase);

const takers: readonly Phase[] = ['volume-detach', 'hand-over', 'pre-terminate', 'infrastructure'];

export function countPassing({ env, arrived }: Step, outcome: PhaseExit): void {
  const { dialect, checkpoint } = arrived.subject;
  const labels = { machine_api: dialect.name, phase: checkpoint.phase };
  env.metrics.count('phasesPassed', { ...labels, outcome });
  const milliseconds = env.clock.now() - Date.parse(checkpoint.since);
  env.metrics.observe('phaseSeconds', labels, milliseconds / 1_000);
}

/** Of a phase with a time limit: a drain that is taken up again goes on from its first attempt, whatever came before that. */
function startOf(subject: Subject, now: Instant): string {
  const { machine, checkpoint } = subject;
  const { since, phase } = checkpoint;
  if (limitSecondsOf(phase, machine) <= 0) return since;
  const start = startOrNow(subject, now);
  return isLongBefore(since, start) ? new Date(start).toISOString() : since;
}

function nextCheckpoint(step: Step, decision: Move): Checkpoint {
  const { env, arrived, snapshot } = step;
  const { machine, dialect, nodeDeletion, checkpoint } = arrived.subject;
  const now = beginningAt(machine, env.clock.now());
  if (decision.kind === 'retreat') return retreated(checkpoint, decision.to, now);
  return advanced(checkpoint, {
    as: decision.passing,
    since: startOf(arrived.subject, now),
    leg: nextPhase(machine, dialect, nodeDeletion, checkpoint.phase),
    now,
    startTimes: dialect.startTimes(machine),
    node: nodeToRemember(arrived.subject, snapshot.sightings.whose),
  });
}
