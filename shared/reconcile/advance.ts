import type { Advance } from '../machine/messages.ts';
import type { Move } from '../phase/decision.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import { beginningAt } from '../machine/timestamps.ts';
import { nextLeg } from '../phase/next-phase.ts';
import { advanced, retreated } from '../phase/transitions.ts';
import type { Phase } from '../machine/phase.ts';
import type { Leaving } from '../machine/reason.ts';
import { nodeToRemember } from '../phase/own-node.ts';
import { sayAnotherNode } from './another-node.ts';
import { isToBeginAnew } from '../read/staleness.ts';
import { keepRecord } from './record.ts';
import { gone } from './gone.ts';
import type { StepResult } from '../runtime/environment.ts';
import { sayConcluded } from './log.ts';
import { goingOn } from '../runtime/trace-propagation.ts';
import type { Turn } from './step.ts';
import { note } from './journal.ts';
import { scheduleFirst, tellPassedOver, tellStart } from './begin.ts';
import { saveCheckpoint } from '../write/checkpoint.ts';

/** Saves that the phase was passed (or returned to), tells it, and hands on to the next. */
export async function move(turn: Turn, decision: Move): Promise<StepResult | 'conflict'> {
  const { env, arrived, chronicle } = turn;
  if (!(await sayAnotherNode(turn))) return 'conflict';
  const { subject } = arrived;
  if (!arrived.isSaved) await scheduleFirst(turn);
  // Only now: time that went by while the store was asked is no part of the next phase's limit.
  const checkpoint = nextCheckpoint(turn, decision);
  if (isTakenAtItsWord(checkpoint, decision) && isToBeginAnew(turn)) return 'conflict';
  const saved = await saveCheckpoint(env, subject, checkpoint);
  if (saved.kind === 'conflict') return 'conflict';
  if (saved.kind === 'gone') return gone(turn);
  if (!arrived.isSaved) tellStart(turn);
  sayConcluded(turn, decision);
  const as = decision.kind === 'advance' ? decision.passing : 'returned';
  countPassing(turn, as);
  env.wakeUps.drop(subject.machine.ref.uid);
  note(chronicle, subject.checkpoint, { what: 'advanced', reason: as, message: decision.message });
  const about = { machine: saved.machine.ref, phase: checkpoint.phase, seq: checkpoint.seq };
  const from = subject.checkpoint.phase;
  chronicle.announcements.push({ ...about, kind: 'advanced', from, as, message: decision.message });
  if (decision.kind === 'advance') chronicle.facts.push(...(decision.facts ?? []));
  tellPassedOver(turn, checkpoint, [from, ...Object.keys(subject.checkpoint.passed)]);
  await keepRecord(turn);
  const next: Advance = { ...about, resourceVersion: saved.machine.resourceVersion, ...goingOn(env) };
  return { next, announcements: chronicle.announcements };
}

/**
 * Whoever waits for volumes, or has the server deleted, looks at the Node's Pods no more where that was handed on just now:
 * what was seen must not be old by then.
 */
const isTakenAtItsWord = ({ phase }: Checkpoint, { kind }: Move): boolean =>
  kind === 'advance' && takers.includes(phase);

const takers: readonly Phase[] = ['volume-detach', 'pre-terminate', 'infrastructure'];

export function countPassing({ env, arrived }: Turn, outcome: Leaving): void {
  const { dialect, checkpoint } = arrived.subject;
  const labels = { machine_api: dialect.name, phase: checkpoint.phase };
  env.metrics.count('phasesPassed', { ...labels, outcome });
  const milliseconds = env.clock.now() - Date.parse(checkpoint.since);
  env.metrics.observe('phaseSeconds', labels, milliseconds / 1_000);
}

function nextCheckpoint(turn: Turn, decision: Move): Checkpoint {
  const { env, arrived, look } = turn;
  const { machine, dialect, nodeDeletion, checkpoint } = arrived.subject;
  const now = beginningAt(machine, env.clock.now());
  if (decision.kind === 'retreat') return retreated(checkpoint, decision.to, now);
  return advanced(checkpoint, {
    as: decision.passing,
    leg: nextLeg(machine, dialect, nodeDeletion, checkpoint.phase),
    now,
    startTimes: dialect.startTimes(machine),
    node: nodeToRemember(arrived.subject, look.sightings.whose),
  });
}
