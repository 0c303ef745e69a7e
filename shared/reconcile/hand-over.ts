import { drainingCondition } from '../dialects/beside/hook.ts';
import { conditionsFrom, find } from '../dialects/conditions.ts';
import { recordAt } from '../dialects/fields.ts';
import type { GatedStep } from '../dialects/gate.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Machine } from '../machine/machine.ts';
import { beginningAt } from '../machine/timestamps.ts';
import type { Decision } from '../phase/decision.ts';
import { mustRestart } from '../read/staleness.ts';
import type { StepResult } from '../runtime/environment.ts';
import { hookStays, markDrained, takeHookOff } from '../write/hand-over.ts';
import { saveStatus } from '../write/status.ts';
import { countPassing } from './advance.ts';
import { reportOfAnotherNode } from './another-node.ts';
import { reportReached } from './begin.ts';
import { gone, leaveStore } from './gone.ts';
import { recordDecision } from './journal.ts';
import { logConcluded } from './log.ts';
import { record } from './record.ts';
import { type Step, statusInput } from './step.ts';

/**
 * An exclusion has the API's own controller not look at the Node: it rests on nothing that is older than this. What took
 * longer is looked at again, and where that is in vain the hook goes without exclusions.
 */
const freshMilliseconds = 5_000;

/** The last step beside the API's own controller: says how it stands, then takes our hook off. No effect of ours follows. */
export async function handOver(
  step: Step,
  decision: Decision & { kind: 'hand-over' },
): Promise<StepResult | 'conflict'> {
  const { env, arrived, journal } = step;
  const tellAnotherNode = reportOfAnotherNode(step);
  const said = isRefusalShown(arrived.subject.machine)
    ? { kind: 'saved' as const, machine: arrived.subject.machine }
    : await saveStatus(env, arrived.subject, statusInput(step, decision.report));
  if (said.kind === 'conflict') return 'conflict';
  if (said.kind === 'gone') return gone(step);
  arrived.subject = { ...arrived.subject, machine: said.machine };
  tellAnotherNode?.();
  if (mustRestart(step)) return 'conflict';
  const isFresh = step.start === undefined || step.start.age() <= freshMilliseconds;
  if (!isFresh && decision.exclusions.length > 0 && step.isLastStart !== true) return 'conflict';
  const exclusions = isFresh ? decision.exclusions : [];
  const marked = await mark(step, exclusions);
  if (marked === 'conflict') return 'conflict';
  if (marked === 'gone') return gone(step);
  const { subject } = arrived;
  const saved = await takeHookOff(env, subject, released(step), exclusions);
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
 * Where that is how the drain is not repeated: the API's own controller goes on with this word already, and nothing follows
 * but taking our hook off. It is asked again whether it may be said, of the Machine as the last write has left it.
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
 * Whether the Machine says that its hook could not be taken off. To say something else before each try would make every
 * refusal news, and instances without memory of it would answer each other for ever.
 */
function isRefusalShown({ raw }: Machine): boolean {
  const status = recordAt(raw, 'status');
  const lists = [status, recordAt(status, 'v1beta2')].map(({ conditions }) => conditionsFrom(conditions));
  return lists.some((list) => find(list, drainingCondition)?.message?.startsWith(hookStays) === true);
}
