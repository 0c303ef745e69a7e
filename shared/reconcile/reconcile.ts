import type { Advance, Announcement } from '../machine/messages.ts';
import { holdOn } from '../phase/guard.ts';
import type { AnyPhase } from '../phase/definition.ts';
import { type Arrival, type Arrived, arrive } from './load.ts';
import { begin } from './begin.ts';
import { type Start, startAfter } from '../read/staleness.ts';
import { claimPlace } from './claim-capacity.ts';
import { keepRecord, record } from './record.ts';
import { forget, gone } from './gone.ts';
import type { Environment, StepResult } from '../runtime/environment.ts';
import { conclude, rounds } from './loop.ts';
import { settleBlind } from './wait.ts';
import { settleRefused } from './wait-refused.ts';
import { stampAnew } from './time-limit.ts';
import { beginTurn, type Turn } from './step.ts';
import { speakingOf } from '../runtime/machine-log.ts';
import { CouldNotLook } from '../kubernetes/errors.ts';
import { type Chronicle, emptyChronicle } from './journal.ts';
import { WriteRefused } from '../write/outcome.ts';

/** Conflicting writers make a step start over; this many times before it is left to the next look. */
const mostStarts = 5;

/**
 * Runs one step of one phase for one Machine: looks, decides, acts, and saves where the deletion stands before
 * anything is told. Throws CouldNotLook when not even that could be done; then nothing is lost and the event may
 * be delivered again. `leave` is given what it had done by then, evictions for one: nobody would tell of it later.
 */
export async function runPhase(
  env: Environment,
  phase: AnyPhase,
  command: Advance,
  leave: Leave = () => undefined,
): Promise<StepResult> {
  const join = `${phase.name}|${command.seq}|${command.resourceVersion ?? ''}`;
  const speaking = speakingOf(env, command.machine, { phase: phase.name });
  // Others who wait for a turn of this Machine have places, too.
  claimPlace(env, env.memory.machine(command.machine.uid)?.raw);
  const result = await env.turns.take(command.machine.uid, join, async () => {
    const chronicle = emptyChronicle();
    try {
      return await step(speaking, phase, command, chronicle);
    } catch (error) {
      leave(chronicle.announcements);
      throw error;
    }
  });
  return result ?? { announcements: [] };
}

type Leave = (announcements: readonly Announcement[]) => void;

async function step(
  env: Environment,
  phase: AnyPhase,
  command: Advance,
  chronicle: Chronicle,
): Promise<StepResult> {
  if (env.memory.isGone(command.machine.uid)) return { announcements: [] };
  let last: Turn | undefined;
  let start: Start | undefined;
  const beganAt = env.clock.now();
  try {
    for (let starts = 0; starts < mostStarts; starts += 1) {
      start = startAfter(start, env.clock.stopwatch());
      const arrival = await arrive(env, phase.name, command, starts > 0);
      if (!('arrived' in arrival)) return await passedBy(env, command, arrival, last);
      claimPlace(env, arrival.arrived.subject.machine.raw);
      last = beginTurn(env, arrival.arrived, chronicle, { beganAt, deletions: last?.look.deletions });
      last.start = start;
      const result = await taken(last, phase, arrival);
      if (result !== 'conflict') return result;
    }
  } catch (error) {
    // Events go the way that may just be closed; the history does not.
    if (last !== undefined && error instanceof CouldNotLook)
      await record(env, last.arrived.subject, chronicle);
    throw error;
  }
  if (last !== undefined) await keepRecord(last);
  const { namespace, name } = command.machine;
  throw new CouldNotLook(`Machine ${namespace}/${name} kept changing meanwhile`);
}

/** There is nothing to do for the Machine, or not here; an earlier start may have done something. */
async function passedBy(
  env: Environment,
  { machine: { uid } }: Advance,
  arrival: Exclude<Arrival, { arrived: Arrived }>,
  last: Turn | undefined,
): Promise<StepResult> {
  if (arrival.kind === 'gone') {
    if (last !== undefined) return gone(last);
    await forget(env, uid);
    return { announcements: [] };
  }
  if (last !== undefined) await keepRecord(last);
  const announcements = last?.chronicle.announcements ?? [];
  if (arrival.kind === 'elsewhere') return { next: arrival.next, announcements };
  env.log.debug('Nothing to do', { why: arrival.why });
  return { announcements };
}

async function taken(
  turn: Turn,
  phase: AnyPhase,
  arrival: Arrival & { arrived: Arrived },
): Promise<StepResult | 'conflict'> {
  try {
    return await come(turn, phase, arrival);
  } catch (error) {
    if (!(error instanceof WriteRefused)) throw error;
    return settleRefused(turn, error.message);
  }
}

async function come(
  turn: Turn,
  phase: AnyPhase,
  arrival: Arrival & { arrived: Arrived },
): Promise<StepResult | 'conflict'> {
  if (arrival.kind === 'blind') return settleBlind(turn, arrival.why);
  if (!(await stampAnew(turn))) return 'conflict';
  if (arrival.kind === 'here') return rounds(turn, phase);
  // A Machine that must be left as it is waits where it is found: no checkpoint could tell the next one where to go on.
  const held = holdOn(turn.arrived.subject);
  return held === undefined ? begin(turn) : conclude(turn, held);
}
