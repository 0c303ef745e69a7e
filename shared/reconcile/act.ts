import { usableCheckpoint } from '../machine/checkpoint.ts';
import type { Report } from '../machine/report.ts';
import type { Conclusion, Decision, Effect } from '../phase/decision.ts';
import type { AnyPhase } from '../phase/definition.ts';
import { isReadTooOld, mustRestart } from '../read/staleness.ts';
import { saveStatus } from '../write/status.ts';
import { saveReached } from './begin.ts';
import type { EffectContext } from './effect-context.ts';
import { perform } from './effects.ts';
import { recordDecision } from './journal.ts';
import { isStillAsSeen } from './load.ts';
import { logActing } from './log.ts';
import { type Step, statusInput } from './step.ts';
import { unavailable } from './unavailable.ts';

/** To a Node or its Pods, through the API of their cluster. */
const isDoneToNode = (effect: Effect): boolean =>
  effect.kind === 'cordon' ||
  effect.kind === 'evict' ||
  (effect.kind === 'delete' && effect.side === 'workload');

/** Finding the way to the Node's cluster may take time: what was seen is read again after it. */
async function wayFor({ workload }: Step, effects: Effect[]): Promise<EffectContext['workload']> {
  if (!effects.some(isDoneToNode)) return workload;
  const cluster = await workload();
  return async () => cluster;
}

/** Performs; says nothing when all was done, otherwise what follows from the failure. */
export async function act(
  step: Step,
  phase: AnyPhase,
  decision: Decision & { kind: 'act' },
): Promise<Conclusion | 'conflict' | undefined> {
  const { env, arrived, snapshot } = step;
  let workload: EffectContext['workload'];
  try {
    workload = await wayFor(step, decision.effects);
  } catch (error) {
    return unavailable(step, phase, error);
  }
  if (!(await isReadyToAct(step, decision))) return 'conflict';
  logActing(step, decision);
  recordDecision(step.journal, arrived.subject.checkpoint, { what: 'acted', ...decision.report });
  try {
    const subject = arrived.subject;
    const told = await perform(decision.effects, { env, subject, snapshot, workload });
    step.journal.facts.push(...told);
    step.journal.events.push(...(decision.events ?? []));
    return undefined;
  } catch (error) {
    return unavailable(step, phase, error);
  }
}

/**
 * The config goes under the checkpoint of the infrastructure: that both are gone can be read again at any time, and the
 * checkpoint is saved before the Node goes.
 */
function isUnderInfrastructure({ arrived }: Step): boolean {
  const { machine, dialect, checkpoint } = arrived.subject;
  return (
    checkpoint.phase === 'bootstrap' && usableCheckpoint(machine, dialect.phases)?.phase === 'infrastructure'
  );
}

/**
 * The checkpoint is on the Machine before the first effect, and no effect rests on what is known since long ago: this
 * instance may have stood still while it looked, or over the answer to what it wrote, or to the last question whether the
 * Machine is as it was, which says nothing of its Cluster.
 */
async function isReadyToAct(step: Step, { report }: Decision & { kind: 'act' }): Promise<boolean> {
  const { env, arrived } = step;
  if (mustRestart(step)) return false;
  if (!arrived.isSaved && !isUnderInfrastructure(step) && !(await saveReached(step))) return false;
  // Peers whose status does not follow each step write it before: others go by the phase that it shows, and what led
  // to the end of the server, a drain for one, is to be read by then.
  if (!arrived.subject.dialect.showsProgress && !(await setConditionFirst(step, report))) return false;
  const isSame = await isStillAsSeen(env, arrived);
  return isSame && !isReadTooOld(arrived.age) && !mustRestart(step);
}

async function setConditionFirst(step: Step, report: Report): Promise<boolean> {
  const { env, arrived } = step;
  const saved = await saveStatus(env, arrived.subject, statusInput(step, report));
  if (saved.kind !== 'saved') return false;
  arrived.subject = { ...arrived.subject, machine: saved.machine };
  arrived.age = saved.age ?? arrived.age;
  return true;
}
