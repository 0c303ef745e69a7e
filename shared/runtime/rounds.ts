import type { Instant } from '../clock.ts';
import type { Conclusion, Decision, Move, Report } from '../decision.ts';
import { CouldNotLook } from '../kubernetes/port.ts';
import { guard } from '../machine/guard.ts';
import type { AnyPhase } from '../phase-definition.ts';
import { isStillAsSeen } from './arrive.ts';
import { isToBeginAnew } from './begin-anew.ts';
import { keepRecord, note } from './chronicle.ts';
import { perform } from './effects.ts';
import type { StepResult } from './environment.ts';
import { finish, move } from './move.ts';
import { saveStatus } from './save.ts';
import { settle } from './settle.ts';
import { sayActing, sayConcluded } from './step-log.ts';
import { ofSubject } from './traced.ts';
import { saveFirst, statusInput, type Turn } from './turn.ts';
import { beginOver, endsUnbegun } from './unbegun.ts';

/** Cordon, evict, look again: no phase needs more rounds than this in one invocation. */
const mostRounds = 6;

/** Looks, decides and acts until there is nothing more to do now. `conflict`: somebody else wrote the Machine. */
export async function rounds(turn: Turn, phase: AnyPhase): Promise<StepResult | 'conflict'> {
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

async function lookAndDecide(turn: Turn, phase: AnyPhase): Promise<Decision> {
  const { env, arrived, look } = turn;
  try {
    const decision = await phase.look(look, arrived.subject);
    return decision(env.clock.now());
  } catch (error) {
    return blinded(turn, phase, error);
  }
}

function blinded(turn: Turn, phase: AnyPhase, error: unknown): Conclusion {
  if (!(error instanceof CouldNotLook)) throw error;
  const { env, arrived } = turn;
  turn.hasFailed = true;
  const decision = phase.blind(arrived.subject, error.message, env.clock.now());
  const { retryAfterSeconds } = error;
  if (decision.kind !== 'wait' || retryAfterSeconds === undefined) return decision;
  return leftAlone(decision, retryAfterSeconds, env.clock.now());
}

/** The wait lasts as long as the API asks for, also for whoever would be woken sooner. */
function leftAlone(wait: Conclusion & { kind: 'wait' }, seconds: number, now: Instant): Conclusion {
  const least = now + seconds * 1_000;
  const until = wait.until.map((ending) =>
    ending.kind === 'time' ? { ...ending, at: Math.max(ending.at, least) } : ending,
  );
  return { ...wait, until, lookAgainSeconds: Math.max(wait.lookAgainSeconds, seconds) };
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
  note(turn.chronicle, arrived.subject.checkpoint, { what: 'acted', ...decision.report });
  try {
    const subject = arrived.subject;
    const told = await perform(decision.effects, { env, subject, look, workload });
    turn.chronicle.announcements.push(...told);
    turn.chronicle.facts.push(...(decision.facts ?? []));
    return undefined;
  } catch (error) {
    return blinded(turn, phase, error);
  }
}

/**
 * The checkpoint is on the Machine before the first effect, and no effect rests on what is known since long ago: this
 * instance may have stood still while it looked, or over the answer to what it wrote, or to the last question whether the
 * Machine is as it was, which says nothing of its Cluster.
 */
async function isReadyToAct(turn: Turn, { report }: Decision & { kind: 'act' }): Promise<boolean> {
  const { env, arrived } = turn;
  if (isToBeginAnew(turn)) return false;
  if (!arrived.isSaved && !(await saveFirst(turn))) return false;
  // Peers whose status does not follow each step write it before: others go by the phase that it shows, and what led
  // to the end of the server, a drain for one, is to be read by then.
  if (!arrived.subject.dialect.showsProgress && !(await sayFirst(turn, report))) return false;
  return (await isStillAsSeen(env, arrived)) && !isToBeginAnew(turn);
}

async function sayFirst(turn: Turn, report: Report): Promise<boolean> {
  const { env, arrived } = turn;
  const saved = await saveStatus(env, arrived.subject, statusInput(turn, report));
  if (saved.kind !== 'saved') return false;
  arrived.subject = { ...arrived.subject, machine: saved.machine };
  arrived.age = saved.age ?? arrived.age;
  return true;
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
