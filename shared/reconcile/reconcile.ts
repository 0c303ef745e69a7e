import { Unavailable } from '../kubernetes/errors.ts';
import type { Advance, Fact } from '../machine/messages.ts';
import type { AnyPhase } from '../phase/definition.ts';
import { pausedOrInvalid } from '../phase/guard.ts';
import { type Start, startAfter } from '../read/machine.ts';
import type { Reads } from '../read/snapshot-sources.ts';
import type { Environment, Pending, StepResult } from '../runtime/environment.ts';
import { withMachineLog } from '../runtime/telemetry.ts';
import { isBehind } from '../store/claim.ts';
import type { Stopwatch } from '../time/clock.ts';
import { type StepClaim, withClaim } from '../turns/claim.ts';
import { leftToOwner } from '../turns/pending-events.ts';
import { reserveCapacity, withTurn, workloadNamed } from '../turns/turn.ts';
import { setNodeLetGo } from '../write/node-conditions.ts';
import { WriteRefused } from '../write/outcome.ts';
import { begin, resetFutureStarts } from './checkpoint.ts';
import { forget, gone } from './gone.ts';
import { type Arrived, type Loaded, load } from './load.ts';
import { conclude, loop } from './loop.ts';
import { addHistory, record } from './record.ts';
import { commandOf, emptyJournal, hasActed, type Journal, newStep, type Step } from './step.ts';
import { waitRefused, waitUnread } from './wait.ts';

/** Conflicting writers make a step start over. After this many starts the next look takes it. */
const maxStarts = 5;

/** A step that a conflict makes start over does not repeat reads of this time. A slow request takes as long. */
const newMilliseconds = 1_000;

/**
 * Runs one step of one phase for one Machine: observes, decides, acts, and saves the checkpoint before any report.
 * Throws Unavailable if not even that could be done. Then nothing is lost, and the event may be delivered again.
 * `leave` gets what the step did before, such as evictions: no later step would publish it.
 */
export function reconcilePhase(
  given: Environment,
  phase: AnyPhase,
  command: Advance,
  leave: Leave = () => undefined,
): Promise<StepResult> {
  const env = withMachineLog(given, command.machine, { phase: phase.name });
  return withTurn(env, phase.name, command, async (pending) => {
    const journal = emptyJournal();
    try {
      return await withClaim(env, command, pending, (claim) =>
        runStep({ env: { ...env, stepClaim: claim }, phase, command, journal, claim, pending }),
      );
    } catch (error) {
      leave(journal.facts);
      throw error;
    }
  });
}

type Leave = (facts: readonly Fact[]) => void;

interface Run {
  env: Environment;
  phase: AnyPhase;
  command: Advance;
  journal: Journal;
  claim: StepClaim;
  pending: Pending;
}

async function runStep(run: Run): Promise<StepResult> {
  const { env, phase, command, journal, claim, pending } = run;
  let last: Step | undefined;
  let start: Start | undefined;
  const beganAt = env.clock.now();
  try {
    for (let starts = 0; starts < maxStarts; starts += 1) {
      const again = startOver(last, start, env.clock.stopwatch());
      start = again.start;
      const arrival = await load(env, phase.name, command, starts > 0);
      const before = await claim.taken();
      if (before === undefined) return leftToOwner(env, command, pending);
      if (!('arrived' in arrival)) return await skip(run, arrival, last);
      const { machine, checkpoint } = arrival.arrived.subject;
      claim.stands(checkpoint);
      // A claim sets a look. While the tick rests, no sweep would ask for it.
      await env.ticks.start();
      if (starts === 0 && isBehind(machine.resourceVersion, before)) continue;
      reserveCapacity(env, workloadNamed(env, machine.raw));
      const deletions = last?.snapshot.deletions;
      last = newStep(env, arrival.arrived, journal, { beganAt, deletions, reads: again.reads });
      last.start = start;
      last.isLastStart = starts + 1 === maxStarts;
      const result = await withRefusals(last, phase, arrival);
      claim.stands(last.arrived.subject.checkpoint);
      if (result !== 'conflict') return result;
      // This command is a repeat of an older step now.
      if (last.arrived.isSaved && last.arrived.subject.checkpoint.seq > command.seq)
        return await handOnFrom(last);
    }
  } catch (error) {
    // Events need the API server that may just be away. The history does not.
    if (last !== undefined && error instanceof Unavailable)
      await addHistory(env, last.arrived.subject, journal);
    throw error;
  }
  if (last !== undefined) await record(last);
  const { namespace, name } = command.machine;
  throw new Unavailable(`Machine ${namespace}/${name} kept changing meanwhile`);
}

/**
 * What a start has read counts for the next one, if it did nothing and its reads are new. Somebody has written the Machine,
 * which is read again. Its Node and Pods are as they were.
 */
function startOver(
  last: Step | undefined,
  before: Start | undefined,
  age: Stopwatch,
): { start: Start; reads?: Reads } {
  const isNew = before !== undefined && before.age() <= newMilliseconds;
  if (last === undefined || !isNew || hasActed(last)) return { start: startAfter(before, age) };
  return { start: before, reads: last.snapshot.reads };
}

/** The deletion no longer stands where the step was asked for. The next step goes on from there. */
async function handOnFrom(step: Step): Promise<StepResult> {
  await record(step);
  return { next: commandOf(step), facts: step.journal.facts };
}

/** There is nothing to do for the Machine, or not here. An earlier start may have done something. */
async function skip(
  { env, claim, command }: Run,
  arrival: Exclude<Loaded, { arrived: Arrived }>,
  last: Step | undefined,
): Promise<StepResult> {
  if (arrival.kind === 'gone') {
    if (last !== undefined) return gone(last);
    await forget(env, command.machine.uid);
    return { facts: [] };
  }
  if (last !== undefined) await record(last);
  const facts = last?.journal.facts ?? [];
  if (arrival.kind === 'elsewhere') {
    claim.stands(arrival.next, true);
    return { next: arrival.next, facts };
  }
  if (arrival.saved !== undefined) claim.standsFurther(arrival.saved);
  if (arrival.left !== undefined) await setNodeLetGo(env, arrival.left, arrival.why);
  env.log.debug('Nothing to do', { why: arrival.why });
  return { facts };
}

async function withRefusals(
  step: Step,
  phase: AnyPhase,
  arrival: Loaded & { arrived: Arrived },
): Promise<StepResult | 'conflict'> {
  try {
    return await runLoaded(step, phase, arrival);
  } catch (error) {
    if (!(error instanceof WriteRefused)) throw error;
    return waitRefused(step, error.message);
  }
}

async function runLoaded(
  step: Step,
  phase: AnyPhase,
  arrival: Loaded & { arrived: Arrived },
): Promise<StepResult | 'conflict'> {
  if (arrival.kind === 'blind') return waitUnread(step, arrival.why);
  if (!(await resetFutureStarts(step))) return 'conflict';
  if (arrival.kind === 'here') return loop(step, phase);
  // A Machine that must be left as it is waits where it is found. It gets no checkpoint, so no later step could go on
  // from elsewhere.
  const held = pausedOrInvalid(step.arrived.subject);
  if (held !== undefined) return conclude(step, held);
  if (!(await begin(step))) return 'conflict';
  const first = step.env.phaseOf?.(step.arrived.subject.checkpoint.phase);
  return first === undefined ? handOnFrom(step) : loop(step, first);
}
