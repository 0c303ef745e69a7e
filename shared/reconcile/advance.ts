import type { HookPoint } from '../dialects/dialect.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import { limitSecondsOf } from '../machine/machine.ts';
import type { Advance } from '../machine/messages.ts';
import type { Phase } from '../machine/phase.ts';
import type { PhaseExit } from '../machine/reason.ts';
import { beginningAt, isLongBefore } from '../machine/timestamps.ts';
import type { Move } from '../phase/decision.ts';
import type { AnyPhase, Subject } from '../phase/definition.ts';
import { leadsPast, nextPhase } from '../phase/next-phase.ts';
import { nodeToRemember } from '../phase/own-node.ts';
import { startOrNow } from '../phase/time-limit.ts';
import { advanced, retreated } from '../phase/transitions.ts';
import { mayAskAt } from '../read/hook-points.ts';
import { mustRestart } from '../read/machine.ts';
import { openSnapshot } from '../read/open-snapshot.ts';
import { needsNodeDeletion, notAsked } from '../read/surroundings.ts';
import type { StepResult } from '../runtime/environment.ts';
import { currentTrace, withMachineLog } from '../runtime/telemetry.ts';
import type { Instant } from '../time/clock.ts';
import { saveCheckpoint } from '../write/checkpoint.ts';
import { reportReached, reportSkipped } from './checkpoint.ts';
import { gone } from './gone.ts';
import { subjectOf } from './load.ts';
import { logConcluded } from './log.ts';
import { record } from './record.ts';
import { writeAnotherNode } from './status.ts';
import { recordDecision, type Step } from './step.ts';

/** Saves that the phase was passed (or returned to), reports it, and hands on to the next. */
async function handOn(
  step: Step,
  decision: Move,
  asksAt: readonly HookPoint[],
): Promise<StepResult | 'conflict'> {
  const { env, arrived, journal } = step;
  const { subject } = arrived;
  // Only now: the time lost while the next phase could not be prepared is no part of its limit.
  const checkpoint = nextCheckpoint(step, decision, asksAt);
  if (trustsDrain(checkpoint, decision) && mustRestart(step)) return 'conflict';
  const saved = await saveCheckpoint(env, subject, checkpoint);
  if (saved.kind === 'conflict') return 'conflict';
  if (saved.kind === 'gone') return gone(step);
  reportReached(step);
  reportPassed(step, subject, checkpoint, decision);
  await record(step);
  const { phase, seq } = checkpoint;
  const { ref: machine, resourceVersion } = saved.machine;
  const next: Advance = { machine, phase, seq, resourceVersion, ...currentTrace(env) };
  return { next, facts: journal.facts };
}

function reportPassed(step: Step, subject: Subject, checkpoint: Checkpoint, decision: Move): void {
  const { env, journal } = step;
  const { machine } = subject;
  logConcluded(step, decision, subject);
  const as = decision.kind === 'advance' ? decision.passing : 'returned';
  countPassing(step, subject, as);
  env.wakeUps.drop(machine.ref.uid);
  recordDecision(journal, subject.checkpoint, { what: 'advanced', reason: as, message: decision.message });
  const from = subject.checkpoint.phase;
  const { phase, seq } = checkpoint;
  const { message } = decision;
  journal.facts.push({ machine: machine.ref, phase, seq, kind: 'advanced', from, as, message });
  if (decision.kind === 'advance') journal.events.push(...(decision.events ?? []));
  reportSkipped(step, subject, checkpoint, [from, ...Object.keys(subject.checkpoint.passed)]);
}

/** A longer step hands on, so that the next phase reads the world as it is then. */
const longestMilliseconds = 5_000;

/** The step at the phase that follows, and that phase. */
export interface Following {
  step: Step;
  phase: AnyPhase;
}

/**
 * Passes a phase, or goes back. Looks at the next phase in the same invocation. Saves its checkpoint before its first
 * effect, or with its wait, and only then reports what was passed. A way back, or a step that has lasted long, is
 * saved at once. Then the next invocation goes on.
 */
export async function changePhase(step: Step, decision: Move): Promise<StepResult | 'conflict' | Following> {
  if (!(await writeAnotherNode(step))) return 'conflict';
  const { env, arrived } = step;
  const isAsked =
    decision.kind === 'advance' &&
    leadsPast('pre-terminate', arrived.subject) &&
    (await mayAskAt(env, arrived.subject, 'PreTerminate'));
  const asksAt: readonly HookPoint[] = isAsked ? ['pre-terminate'] : [];
  const following = decision.kind === 'advance' ? await goOn(step, decision, asksAt) : undefined;
  return following ?? handOn(step, decision, asksAt);
}

async function goOn(
  step: Step,
  decision: Move & { kind: 'advance' },
  asksAt: readonly HookPoint[],
): Promise<Following | undefined> {
  const { env, arrived } = step;
  const { subject } = arrived;
  const checkpoint = nextCheckpoint(step, decision, asksAt);
  const phase = env.phaseOf?.(checkpoint.phase);
  if (phase === undefined || isNodeLeft(checkpoint)) return undefined;
  if (step.start !== undefined && step.start.age() > longestMilliseconds) return undefined;
  const at = await subjectAt(step, checkpoint);
  if (at === undefined) return undefined;
  step.onSaved.push(() => reportPassed(step, subject, checkpoint, decision));
  arrived.subject = at;
  arrived.isSaved = false;
  return { step: stepAt(step), phase };
}

/** The Machine must show that its Node stays, before the Machine goes. */
const isNodeLeft = ({ phase, passed }: Checkpoint): boolean =>
  phase === 'finalize' && passed.node?.as !== 'done';

/** Undefined if a read fails that the phase needs first. Its own invocation reports that. */
async function subjectAt({ env, arrived }: Step, checkpoint: Checkpoint): Promise<Subject | undefined> {
  const { subject } = arrived;
  const { machine, dialect, surroundings } = subject;
  const { phase } = checkpoint;
  const hasPreDrainHooks = dialect.hooks(machine, 'pre-drain').length > 0;
  const isAsked = subject.nodeDeletion !== notAsked;
  if (isAsked || !needsNodeDeletion(dialect, phase, hasPreDrainHooks, machine))
    return { ...subject, checkpoint };
  try {
    return await subjectOf(env, { phase, machine, dialect }, checkpoint, surroundings);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return undefined;
  }
}

/** What was seen before an effect is no evidence after it. */
function stepAt(step: Step): Step {
  const { env, arrived, snapshot, isLookOld } = step;
  const { machine, checkpoint } = arrived.subject;
  const { beganAt, deletions } = snapshot;
  return {
    ...step,
    env: withMachineLog(env, machine.ref, { phase: checkpoint.phase }),
    snapshot: isLookOld ? openSnapshot(env, arrived.subject, { beganAt, deletions }) : snapshot,
    lastReport: undefined,
    isLookOld: false,
  };
}

/**
 * The wait for volumes and the deletion of the server do not read the Pods of a Node just drained. So what the step
 * saw must not be old.
 */
const trustsDrain = ({ phase }: Checkpoint, { kind }: Move): boolean =>
  kind === 'advance' && phasesTrustingDrain.includes(phase);

const phasesTrustingDrain: readonly Phase[] = [
  'volume-detach',
  'hand-over',
  'pre-terminate',
  'infrastructure',
];

export function countPassing({ env }: Step, { dialect, checkpoint }: Subject, outcome: PhaseExit): void {
  const labels = { machine_api: dialect.name, phase: checkpoint.phase };
  env.metrics.count('phasesPassed', { ...labels, outcome });
  const milliseconds = env.clock.now() - Date.parse(checkpoint.since);
  env.metrics.observe('phaseSeconds', labels, milliseconds / 1_000);
}

/**
 * The start of a phase with a time limit. A drain that begins again counts from its first attempt, whatever came
 * before that.
 */
function startOf(subject: Subject, now: Instant): string {
  const { machine, checkpoint } = subject;
  const { since, phase } = checkpoint;
  if (limitSecondsOf(phase, machine) <= 0) return since;
  const start = startOrNow(subject, now);
  return isLongBefore(since, start) ? new Date(start).toISOString() : since;
}

function nextCheckpoint(step: Step, decision: Move, asksAt: readonly HookPoint[]): Checkpoint {
  const { env, arrived, snapshot } = step;
  const { machine, dialect, nodeDeletion, checkpoint } = arrived.subject;
  const now = beginningAt(machine, env.clock.now());
  if (decision.kind === 'retreat') return retreated(checkpoint, decision.to, now);
  return advanced(checkpoint, {
    as: decision.passing,
    since: startOf(arrived.subject, now),
    leg: nextPhase(machine, dialect, nodeDeletion, { from: checkpoint.phase, asksAt }),
    now,
    startTimes: dialect.startTimes(machine),
    node: nodeToRemember(arrived.subject, snapshot.observed.ownership),
  });
}
