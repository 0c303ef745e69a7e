import { hasHook, listOf, type OurHook } from '../dialects/beside/hook.ts';
import { hookIn, phasesOn } from '../dialects/beside/phases.ts';
import { isHandOverShown, shownDrain } from '../dialects/beside/status.ts';
import type { GatedStep } from '../dialects/gate.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Machine } from '../machine/machine.ts';
import { type Report, warning } from '../machine/report.ts';
import { beginningAt } from '../machine/timestamps.ts';
import type { Decision } from '../phase/decision.ts';
import type { Subject } from '../phase/definition.ts';
import { atPreTerminate } from '../phase/transitions.ts';
import { mustRestart } from '../read/machine.ts';
import { lateBeforeTheEnd } from '../read/pre-terminate-hooks.ts';
import type { StepResult } from '../runtime/environment.ts';
import { currentTrace } from '../runtime/telemetry.ts';
import { hookStays, markDrained, releaseMachine } from '../write/hand-over.ts';
import type { Saved } from '../write/outcome.ts';
import { saveStatus } from '../write/status.ts';
import { countPassing } from './advance.ts';
import { reportReached } from './checkpoint.ts';
import { gone, leaveStore } from './gone.ts';
import { logConcluded } from './log.ts';
import { record } from './record.ts';
import { reportOfAnotherNode } from './status.ts';
import { recordDecision, type Step, statusInput } from './step.ts';

/**
 * An exclusion makes the API's own controller skip the Node, so it rests on nothing older than this. A step that took
 * longer starts over. If that is in vain, the hook goes without exclusions.
 */
const freshMilliseconds = 5_000;

/**
 * Takes our hook off. The API's own controller goes on, to its end, or to our hook before the end of the server. No effect of
 * ours follows on the Node.
 */
export async function handOver(
  step: Step,
  decision: Decision & { kind: 'hand-over' },
): Promise<StepResult | 'conflict'> {
  const { env, arrived, journal } = step;
  const reportAnotherNode = reportOfAnotherNode(step);
  const shown = await show(step, decision.report);
  if (shown.kind === 'conflict') return 'conflict';
  if (shown.kind === 'gone') return gone(step);
  arrived.subject = { ...arrived.subject, machine: shown.machine };
  reportAnotherNode?.();
  if (mustRestart(step)) return 'conflict';
  const isFresh = step.start === undefined || step.start.age() <= freshMilliseconds;
  if (!isFresh && decision.exclusions.length > 0 && step.isLastStart !== true) return 'conflict';
  const exclusions = isFresh ? decision.exclusions : [];
  const marked = await mark(step, exclusions);
  if (marked === 'conflict') return 'conflict';
  if (marked === 'gone') return gone(step);
  const { subject } = arrived;
  const checkpoint = afterwards(step);
  const hooks = hooksToGo(subject);
  const saved = await releaseMachine(env, subject, { hooks, checkpoint, exclusions });
  if (saved.kind === 'conflict') return 'conflict';
  if (saved.kind === 'gone') return gone(step);
  reportReached(step);
  logConcluded(step, decision);
  countPassing(step, subject, 'done');
  const isLast = checkpoint.released !== undefined;
  await reportHandedOver(step, subject, { ...decision, exclusions }, isLast);
  await reportLate(step, subject, checkpoint);
  await record(step);
  if (isLast) return { facts: journal.facts };
  const { phase, seq } = checkpoint;
  const { ref: machine, resourceVersion } = saved.machine;
  return { next: { machine, phase, seq, resourceVersion, ...currentTrace(env) }, facts: journal.facts };
}

/**
 * Sets the condition before our hook goes: afterwards the Machine is left alone. A write delays the API's own controller. So
 * a Machine that did not show the drain does not show its end.
 */
async function show(step: Step, report: Report): Promise<Saved> {
  const { env, arrived } = step;
  const { machine, dialect } = arrived.subject;
  const isQuiet = dialect.beside?.isDelayedByWrites === true && isHandOverShown(machine);
  if (isQuiet || isRefusalShown(machine)) return { kind: 'saved', machine };
  return saveStatus(env, arrived.subject, statusInput(step, report));
}

/** Our hook is off. `isLast`: the Machine is that controller's. */
async function reportHandedOver(
  step: Step,
  subject: Subject,
  decision: Decision & { kind: 'hand-over' },
  isLast: boolean,
): Promise<void> {
  const { env, journal } = step;
  const { exclusions } = decision;
  const { dialect } = subject;
  const { ref: machine } = subject.machine;
  env.wakeUps.drop(machine.uid);
  if (isLast) await leaveStore(env, machine.uid);
  recordDecision(journal, subject.checkpoint, {
    what: 'advanced',
    reason: 'done',
    message: decision.report.message,
  });
  const { seq, phase } = subject.checkpoint;
  const { message } = decision.report;
  journal.facts.push({
    machine,
    phase: phase === 'pre-terminate' ? 'infrastructure' : 'pre-terminate',
    seq: seq + 1,
    kind: 'advanced',
    from: phase,
    as: 'done',
    message,
  });
  if (exclusions.includes('drain') && subject.checkpoint.passed.drain?.as === 'done')
    journal.events.push(...dialect.events(subject.machine, { what: 'drain-not-repeated' }));
}

/**
 * Marks the drain as done, if that keeps the API's own controller from repeating it. That controller goes on at the
 * mark, and only taking our hook off follows. Checks again, on the Machine as the last write left it, whether the
 * mark is allowed.
 */
async function mark(
  { env, arrived }: Step,
  exclusions: readonly GatedStep[],
): Promise<'conflict' | 'gone' | undefined> {
  const { subject } = arrived;
  const way = subject.dialect.beside?.skipPeerDrain;
  if (way?.by !== 'mark' || !exclusions.includes('drain')) return undefined;
  if (!way.canMark(subject.machine)) return 'conflict';
  const saved = await markDrained(env, subject);
  if (saved.kind !== 'saved') return saved.kind;
  arrived.subject = { ...subject, machine: saved.machine };
  return undefined;
}

/** DeletionHooks came while the deletion was under way. They ask nothing, and that is said. */
async function reportLate(
  { env, journal }: Step,
  { machine, dialect, checkpoint }: Subject,
  { seq, released }: Checkpoint,
): Promise<void> {
  if (released === undefined || checkpoint.phase !== 'hand-over') return;
  const message = await lateBeforeTheEnd(env, machine, dialect);
  if (message === undefined) return;
  env.log.warn('Hook is late', { why: message });
  journal.events.push(warning('HookLate', message));
  journal.facts.push({ kind: 'hook-late', machine: machine.ref, phase: 'pre-terminate', seq, message });
}

/** The hook of the phase. On a Machine that was let go before, all that have come back. */
function hooksToGo({ machine, dialect, checkpoint }: Subject): OurHook[] {
  const { beside } = dialect;
  if (beside === undefined) return [];
  return checkpoint.released === undefined
    ? [hookIn(checkpoint.phase, beside)]
    : listOf(beside.hooks).filter((hook) => hasHook(machine.raw, hook));
}

/** Our hook before the end of the server keeps the Machine ours. */
function afterwards({ env, arrived: { subject } }: Step): Checkpoint {
  const { checkpoint, machine, dialect } = subject;
  const now = beginningAt(machine, env.clock.now());
  const isFirst = checkpoint.phase === 'hand-over' && checkpoint.released === undefined;
  if (isFirst && phasesOn(machine, dialect).includes('pre-terminate')) return atPreTerminate(checkpoint, now);
  const at = new Date(now).toISOString();
  return { ...checkpoint, seq: checkpoint.seq + 1, released: checkpoint.released ?? at };
}

/**
 * Whether the Machine shows that its hook could not be taken off. Another status before each try would make every
 * refusal news. Instances without memory of it would answer each other for ever.
 */
const isRefusalShown = (machine: Machine): boolean =>
  shownDrain(machine)?.message?.startsWith(hookStays) === true;
