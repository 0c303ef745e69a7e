import type { Conclusion, Decision, Move } from '../phase/decision.ts';
import type { AnyPhase } from '../phase/definition.ts';
import { drainConditions } from '../phase/drain-conditions.ts';
import { guard } from '../phase/guard.ts';
import { mustRestart } from '../read/machine.ts';
import type { StepResult } from '../runtime/environment.ts';
import { ofSubject } from '../runtime/telemetry.ts';
import { setNodeConditions } from '../write/node-conditions.ts';
import { act, unavailable } from './act.ts';
import { changePhase, type Following } from './advance.ts';
import { recordEarlierEvictions } from './evict.ts';
import { finish } from './finish.ts';
import { handOver } from './hand-over.ts';
import { logConcluded } from './log.ts';
import { record } from './record.ts';
import type { Step } from './step.ts';
import { wait } from './wait.ts';

/** Cordon, evict, look again: no phase needs more rounds than this in one invocation. */
const maxRounds = 6;

/** Looks, decides and acts until there is nothing more to do now. `conflict`: somebody else wrote the Machine. */
export async function loop(step: Step, phase: AnyPhase): Promise<StepResult | 'conflict'> {
  for (let round = 0; round < maxRounds; round += 1) {
    const decision = await decide(step, phase);
    await recordEarlierEvictions(step, decision);
    if (decision.kind !== 'act') {
      await showDrain(step, decision);
      return conclude(step, decision);
    }
    const acted = await act(step, phase, decision);
    if (acted === 'conflict') return 'conflict';
    if (acted !== undefined) return conclude(step, acted);
    await showDrain(step, decision);
    step.lastReport = decision.report;
    if (decision.effects.some(({ kind }) => kind !== 'cordon')) step.isLookOld = true;
  }
  const report = step.lastReport ?? { reason: 'Deleting', message: 'Deletion started' };
  return conclude(step, { kind: 'wait', until: [], report, requeueAfterSeconds: 1 });
}

async function decide(step: Step, phase: AnyPhase): Promise<Decision> {
  const { env, arrived } = step;
  const held = guard(arrived.subject, env.clock.now());
  if (held !== undefined) return held;
  return env.tracing.span('look', { attributes: ofSubject(arrived.subject) }, async (span) => {
    const decision = await lookAndDecide(step, phase);
    span.set({ 'phaseout.decision': decision.kind });
    return decision;
  });
}

async function lookAndDecide(step: Step, phase: AnyPhase): Promise<Decision> {
  const { env, arrived, snapshot } = step;
  try {
    const look = await phase.look(snapshot, arrived.subject);
    return look.decide(env.clock.now());
  } catch (error) {
    return unavailable(step, phase, error);
  }
}

/** Shows the drain on the Node, if the Machine has the checkpoint: no effect comes before that. */
async function showDrain(step: Step, decision: Decision): Promise<void> {
  const { env, arrived, snapshot, workload } = step;
  const { subject, isSaved } = arrived;
  // A process that froze may look at the Node of a Machine that is gone.
  const conditions = isSaved && !mustRestart(step) ? drainConditions(subject, decision) : undefined;
  if (conditions === undefined) return;
  const { ownership } = snapshot.observed;
  if (conditions.stage !== 'not-drained' && ownership?.kind !== 'own') return;
  const uid = ownership?.kind === 'own' ? ownership.uid : undefined;
  const isRepeated = decision.kind === 'act' || decision.kind === 'wait';
  await setNodeConditions(env, {
    machine: subject.machine,
    conditions: conditions,
    uid,
    workload,
    isRepeated,
  });
}

/** Ends the step with a wait, the next phase, or the end of the deletion. */
export async function conclude(step: Step, decision: Conclusion): Promise<StepResult | 'conflict'> {
  if (decision.kind === 'advance' || decision.kind === 'retreat') {
    const changed = await changePhase(step, decision);
    return isFollowing(changed) ? loop(changed.step, changed.phase) : changed;
  }
  const result = await concluded(step, decision);
  if (result !== 'conflict' && !waitsForNothing(step, decision)) logConcluded(step, decision);
  return result;
}

const isFollowing = (changed: Awaited<ReturnType<typeof changePhase>>): changed is Following =>
  changed !== 'conflict' && 'step' in changed;

/** The Machine was gone when its status was to show the wait. */
const waitsForNothing = ({ env, arrived }: Step, { kind }: Conclusion): boolean =>
  kind === 'wait' && env.cache.isGone(arrived.subject.machine.ref.uid);

async function concluded(step: Step, decision: Exclude<Conclusion, Move>): Promise<StepResult | 'conflict'> {
  if (decision.kind === 'wait') return wait(step, decision);
  if (decision.kind === 'release') return finish(step, decision);
  if (decision.kind === 'hand-over') return handOver(step, decision);
  await record(step);
  return { facts: step.journal.facts };
}
