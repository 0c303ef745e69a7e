import type { Advance, Announcement } from '../announcement.ts';
import type { Conclusion, Decision, Move, Report } from '../decision.ts';
import { CouldNotLook } from '../kubernetes/port.ts';
import { guard, holdOn } from '../machine/guard.ts';
import type { AnyPhase } from '../phase-definition.ts';
import { type Arrival, type Arrived, arrive, isStillAsSeen } from './arrive.ts';
import { begin } from './begin.ts';
import { type Chronicle, emptyChronicle } from './chronicle.ts';
import { perform } from './effects.ts';
import type { Environment, StepResult } from './environment.ts';
import { finish, move } from './move.ts';
import { settle, settleBlind } from './settle.ts';
import { saveStatus } from './save.ts';
import { stampAnew } from './stamp-anew.ts';
import { sayActing, sayConcluded, speakingOf } from './step-log.ts';
import { ofSubject } from './traced.ts';
import { beginTurn, forget, saveFirst, statusInput, type Turn } from './turn.ts';
import { endsUnbegun } from './unbegun.ts';

/** Conflicting writers make a step start over; this many times before it is left to the next look. */
const mostStarts = 5;
/** Cordon, evict, look again: no phase needs more rounds than this in one invocation. */
const mostRounds = 6;

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
  const { announcements } = chronicle;
  for (let start = 0; start < mostStarts; start += 1) {
    const arrival = await arrive(env, phase.name, command, start > 0);
    if (arrival.kind === 'gone') {
      await forget(env, command.machine.uid);
      return { announcements };
    }
    if (arrival.kind === 'elsewhere') return { next: arrival.next, announcements };
    if (arrival.kind === 'ignored') {
      env.log.debug('Nothing to do', { why: arrival.why });
      return { announcements };
    }
    const turn = beginTurn(env, arrival.arrived, chronicle);
    const result = await taken(turn, phase, arrival);
    if (result !== 'conflict') return result;
  }
  throw new CouldNotLook(
    `Machine ${command.machine.namespace}/${command.machine.name} kept changing meanwhile`,
  );
}

async function taken(
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

async function rounds(turn: Turn, phase: AnyPhase): Promise<StepResult | 'conflict'> {
  for (let round = 0; round < mostRounds; round += 1) {
    const decision = await decide(turn, phase);
    if (decision.kind !== 'act') return conclude(turn, decision);
    const acted = await act(turn, phase, decision);
    if (acted === 'conflict') return 'conflict';
    if (acted !== undefined) return conclude(turn, acted);
    turn.lastReport = decision.report;
  }
  const report = turn.lastReport ?? { reason: 'Deleting', message: 'Deletion started' };
  return conclude(turn, { kind: 'wait', until: [], report, lookAgainSeconds: 1 });
}

async function decide(turn: Turn, phase: AnyPhase): Promise<Decision> {
  const { env, arrived } = turn;
  const held = guard(arrived.subject);
  if (held !== undefined) return held;
  return env.tracing.span('look', { attributes: ofSubject(arrived.subject) }, async (span) => {
    const decision = await lookAndDecide(turn, phase);
    span.set({ 'phaseout.decision': decision.kind });
    return decision;
  });
}

async function lookAndDecide({ env, arrived, look }: Turn, phase: AnyPhase): Promise<Decision> {
  try {
    const decision = await phase.look(look, arrived.subject);
    return decision(env.clock.now());
  } catch (error) {
    return blinded(phase, arrived, error, env);
  }
}

function blinded(phase: AnyPhase, { subject }: Arrived, error: unknown, env: Environment): Conclusion {
  if (!(error instanceof CouldNotLook)) throw error;
  const decision = phase.blind(subject, error.message, env.clock.now());
  if (decision.kind !== 'wait' || error.retryAfterSeconds === undefined) return decision;
  return { ...decision, lookAgainSeconds: Math.max(decision.lookAgainSeconds, error.retryAfterSeconds) };
}

/** Performs; says nothing when all was done, otherwise what follows from the failure. */
async function act(
  turn: Turn,
  phase: AnyPhase,
  decision: Decision & { kind: 'act' },
): Promise<Conclusion | 'conflict' | undefined> {
  const { env, arrived, look, workload } = turn;
  if (!(await isReadyToAct(turn, decision))) return 'conflict';
  sayActing(turn, decision);
  turn.chronicle.history.push({ what: 'acted', ...decision.report });
  try {
    const subject = arrived.subject;
    const told = await perform(decision.effects, { env, subject, look, workload });
    turn.chronicle.announcements.push(...told);
    turn.chronicle.facts.push(...(decision.facts ?? []));
    return undefined;
  } catch (error) {
    return blinded(phase, arrived, error, env);
  }
}

/** The checkpoint is on the Machine before the first effect; later effects need knowledge that is not old. */
async function isReadyToAct(turn: Turn, { report }: Decision & { kind: 'act' }): Promise<boolean> {
  const { env, arrived } = turn;
  const isReady = arrived.isSaved ? await isStillAsSeen(env, arrived) : await saveFirst(turn);
  // Peers whose status does not follow each step write it before: others go by the phase that it shows, and what led
  // to the end of the server, a drain for one, is to be read by then.
  if (!isReady || arrived.subject.dialect.showsProgress) return isReady;
  return sayFirst(turn, report);
}

async function sayFirst(turn: Turn, report: Report): Promise<boolean> {
  const { env, arrived } = turn;
  const saved = await saveStatus(env, arrived.subject, statusInput(turn, report));
  if (saved.kind !== 'saved') return false;
  arrived.subject = { ...arrived.subject, machine: saved.machine };
  return true;
}

async function conclude(turn: Turn, decision: Conclusion): Promise<StepResult | 'conflict'> {
  if (endsUnbegun(turn, decision)) {
    // Whether or not it could be written down that it begins now, the step has to start over.
    await saveFirst(turn);
    return 'conflict';
  }
  if (decision.kind === 'advance' || decision.kind === 'retreat') return move(turn, decision);
  const result = await concluded(turn, decision);
  if (result !== 'conflict') sayConcluded(turn, decision);
  return result;
}

function concluded(turn: Turn, decision: Exclude<Conclusion, Move>): Promise<StepResult | 'conflict'> {
  if (decision.kind === 'wait') return settle(turn, decision);
  if (decision.kind === 'release') return finish(turn, decision);
  return Promise.resolve({ announcements: turn.chronicle.announcements });
}
