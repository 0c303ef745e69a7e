import type { Conclusion, Decision, Move } from '../phase/decision.ts';
import { guard } from '../phase/guard.ts';
import type { AnyPhase } from '../phase/definition.ts';
import { act } from './act.ts';
import { blinded } from './unavailable.ts';
import { keepRecord } from './record.ts';
import type { StepResult } from '../runtime/environment.ts';
import { move } from './advance.ts';
import { settle } from './wait.ts';
import { sayConcluded } from './log.ts';
import { tellUntold } from './untold-evictions.ts';
import { ofSubject } from '../runtime/trace-propagation.ts';
import type { Turn } from './step.ts';
import { beginLate, beginOver, beginsLate, endsUnbegun } from './unbegun.ts';
import { finish } from './finish.ts';

/** Cordon, evict, look again: no phase needs more rounds than this in one invocation. */
const mostRounds = 6;

/** Looks, decides and acts until there is nothing more to do now. `conflict`: somebody else wrote the Machine. */
export async function rounds(turn: Turn, phase: AnyPhase): Promise<StepResult | 'conflict'> {
  for (let round = 0; round < mostRounds; round += 1) {
    const decision = await decide(turn, phase);
    if (beginsLate(turn, decision)) {
      await beginLate(turn);
      return 'conflict';
    }
    await tellUntold(turn, decision);
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

async function lookAndDecide(turn: Turn, phase: AnyPhase): Promise<Decision> {
  const { env, arrived, look } = turn;
  try {
    const decision = await phase.look(look, arrived.subject);
    return decision(env.clock.now());
  } catch (error) {
    return blinded(turn, phase, error);
  }
}

/** What the step comes to: a wait, the next phase, or the end of the deletion. */
export async function conclude(turn: Turn, decision: Conclusion): Promise<StepResult | 'conflict'> {
  if (endsUnbegun(turn, decision)) {
    await beginOver(turn);
    return 'conflict';
  }
  if (decision.kind === 'advance' || decision.kind === 'retreat') return move(turn, decision);
  const result = await concluded(turn, decision);
  if (result !== 'conflict' && !waitsForNothing(turn, decision)) sayConcluded(turn, decision);
  return result;
}

/** The Machine was found to be gone when it was to be said on it what is waited for. */
const waitsForNothing = ({ env, arrived }: Turn, { kind }: Conclusion): boolean =>
  kind === 'wait' && env.memory.isGone(arrived.subject.machine.ref.uid);

async function concluded(turn: Turn, decision: Exclude<Conclusion, Move>): Promise<StepResult | 'conflict'> {
  if (decision.kind === 'wait') return settle(turn, decision);
  if (decision.kind === 'release') return finish(turn, decision);
  await keepRecord(turn);
  return { announcements: turn.chronicle.announcements };
}
