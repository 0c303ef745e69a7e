import { drainingCondition } from '../dialects/beside/hook.ts';
import { conditionsFrom, find } from '../dialects/conditions.ts';
import { recordAt } from '../dialects/fields.ts';
import type { GatedStep } from '../dialects/gate.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Machine } from '../machine/machine.ts';
import { beginningAt } from '../machine/timestamps.ts';
import type { Decision } from '../phase/decision.ts';
import { mustRestart } from '../read/machine.ts';
import type { StepResult } from '../runtime/environment.ts';
import { hookStays, markDrained, releaseMachine } from '../write/hand-over.ts';
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

/** The last step beside the API's own controller: sets the condition, then takes our hook off. No effect of ours follows. */
export async function handOver(
  step: Step,
  decision: Decision & { kind: 'hand-over' },
): Promise<StepResult | 'conflict'> {
  const { env, arrived, journal } = step;
  const reportAnotherNode = reportOfAnotherNode(step);
  const shown = isRefusalShown(arrived.subject.machine)
    ? { kind: 'saved' as const, machine: arrived.subject.machine }
    : await saveStatus(env, arrived.subject, statusInput(step, decision.report));
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
  const saved = await releaseMachine(env, subject, released(step), exclusions);
  if (saved.kind === 'conflict') return 'conflict';
  if (saved.kind === 'gone') return gone(step);
  reportReached(step);
  logConcluded(step, decision);
  countPassing(step, subject, 'done');
  const { ref: machine } = subject.machine;
  env.wakeUps.drop(machine.uid);
  await leaveStore(env, machine.uid);
  recordDecision(journal, subject.checkpoint, {
    what: 'advanced',
    reason: 'done',
    message: decision.report.message,
  });
  const { seq } = subject.checkpoint;
  const { message } = decision.report;
  journal.facts.push({
    machine,
    phase: 'pre-terminate',
    seq: seq + 1,
    kind: 'advanced',
    from: 'hand-over',
    as: 'done',
    message,
  });
  await record(step);
  return { facts: journal.facts };
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

function released({ env, arrived: { subject } }: Step): Checkpoint {
  const { checkpoint, machine } = subject;
  const at = new Date(beginningAt(machine, env.clock.now())).toISOString();
  return { ...checkpoint, seq: checkpoint.seq + 1, released: checkpoint.released ?? at };
}

/**
 * Whether the Machine shows that its hook could not be taken off. Another status before each try would make every
 * refusal news. Instances without memory of it would answer each other for ever.
 */
function isRefusalShown({ raw }: Machine): boolean {
  const status = recordAt(raw, 'status');
  const lists = [status, recordAt(status, 'v1beta2')].map(({ conditions }) => conditionsFrom(conditions));
  return lists.some((list) => find(list, drainingCondition)?.message?.startsWith(hookStays) === true);
}
