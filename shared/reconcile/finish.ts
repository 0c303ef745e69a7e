import { Unavailable } from '../kubernetes/errors.ts';
import type { Machine } from '../machine/machine.ts';
import type { Fact } from '../machine/messages.ts';
import type { Report } from '../machine/report.ts';
import type { Decision } from '../phase/decision.ts';
import type { Subject } from '../phase/definition.ts';
import { forgetMember } from '../read/cluster-machines.ts';
import { mustRestart } from '../read/machine.ts';
import type { StepResult } from '../runtime/environment.ts';
import { removeFinalizer } from '../write/finalizer.ts';
import { saveStatus } from '../write/status.ts';
import { countPassing } from './advance.ts';
import { reportReached } from './checkpoint.ts';
import { forget, gone } from './gone.ts';
import { record } from './record.ts';
import { recordDecision, type Step, statusInput } from './step.ts';

function countCompletion({ env, arrived }: Step): void {
  const { dialect, machine } = arrived.subject;
  const labels = { machine_api: dialect.name };
  env.metrics.count('deletionsCompleted', labels);
  const milliseconds = env.clock.now() - (machine.deletionTimestamp ?? env.clock.now());
  env.metrics.observe('deletionSeconds', labels, milliseconds / 1_000);
}

/** The last step. Sets the completed status, if anyone can still read it, then takes the finalizer off. */
export async function finish(
  step: Step,
  decision: Decision & { kind: 'release' },
): Promise<StepResult | 'conflict'> {
  const { env, arrived, journal } = step;
  if (outlivesItsEnd(arrived.subject)) {
    const saved = await saveStatus(env, arrived.subject, statusInput(step, decision.report));
    if (saved.kind === 'conflict') return 'conflict';
    if (saved.kind === 'gone') return gone(step);
    arrived.subject = { ...arrived.subject, machine: saved.machine };
  }
  const { subject } = arrived;
  // The Machine itself does not show a pause of its Cluster.
  if (mustRestart(step)) return 'conflict';
  const removed = await removeFinalizer(env, subject);
  if (removed.kind === 'conflict') return 'conflict';
  if (removed.kind === 'gone') return gone(step);
  if (removed.rest !== undefined) await setConditionWithoutFinalizer(step, removed.rest, decision.report);
  reportReached(step);
  countPassing(step, subject, 'done');
  countCompletion(step);
  forgetMember(env, subject);
  recordDecision(journal, subject.checkpoint, { what: 'completed', ...decision.report });
  const { phase, seq } = subject.checkpoint;
  const completed: Fact = { kind: 'completed', machine: subject.machine.ref, phase, seq };
  await Promise.all([record(step), forget(env, subject.machine.ref.uid)]);
  return { facts: [...journal.facts, completed] };
}

/**
 * Whether the status is worth a write: others hold the Machine, or its Node is left behind. Otherwise the Machine
 * goes with the next write, and no one reads its status.
 */
function outlivesItsEnd({ machine, checkpoint }: Subject): boolean {
  return machine.finalizers.length > 1 || checkpoint.passed.node?.as !== 'done';
}

/** The status may show that the finalizer could not be removed. That would stand for as long as others hold the Machine. */
async function setConditionWithoutFinalizer(step: Step, machine: Machine, report: Report): Promise<void> {
  const { env, arrived } = step;
  arrived.subject = { ...arrived.subject, machine };
  try {
    await saveStatus(env, arrived.subject, statusInput(step, report));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    env.log.debug('Could not update status after removing the finalizer', { why: error.message });
  }
}
