import type { Checkpoint } from '../machine/checkpoint.ts';
import { type MachineEvent, warning } from '../machine/report.ts';
import type { Subject } from '../phase/definition.ts';
import { mustRestart } from '../read/staleness.ts';
import { saveCheckpoint } from '../write/checkpoint.ts';
import { logSkipped } from './log.ts';
import { record } from './record.ts';
import type { Step } from './step.ts';

/**
 * Begins a deletion at another phase than the one that was asked for. That is saved and told first, so that the next sweep
 * finds the Machine there whatever becomes of this step. False when the Machine has changed or gone meanwhile.
 */
export async function begin(step: Step): Promise<boolean> {
  const isSaved = await saveReached(step);
  if (isSaved) await record(step);
  return isSaved;
}

/**
 * Puts the checkpoint that the step has come to on the Machine: the first one, or one behind phases that were passed. False
 * when the Machine has changed or gone meanwhile.
 */
export async function saveReached(step: Step): Promise<boolean> {
  const { env, arrived } = step;
  // The first phase may be one that goes by what was just seen: that there is no Node, for one.
  if (mustRestart(step)) return false;
  const { subject } = arrived;
  const saved = await saveCheckpoint(env, subject, subject.checkpoint);
  if (saved.kind !== 'saved') return false;
  arrived.subject = { ...subject, machine: saved.machine };
  arrived.isSaved = true;
  arrived.age = saved.age ?? arrived.age;
  const hasPassed = step.onSaved.length > 0;
  reportReached(step);
  // What was passed is on record before what follows is done, as the APIs' own controllers tell it.
  if (hasPassed) await record(step);
  return true;
}

/** What comes with a checkpoint, once it is saved: that the deletion has begun, and the phases that were passed. */
export function reportReached(step: Step): void {
  if (!step.isBegun) reportStart(step);
  step.isBegun = true;
  for (const tell of step.onSaved.splice(0)) tell();
}

function reportStart(step: Step): void {
  const { env, arrived, found, journal } = step;
  const { machine, dialect, checkpoint } = found;
  const { phase, seq } = checkpoint;
  env.metrics.count('deletionsStarted', { machine_api: dialect.name });
  journal.facts.push({ kind: 'started', machine: machine.ref, phase, seq });
  if (arrived.unusable !== undefined) journal.events.push(unusable(arrived.unusable));
  reportSkipped(step, found, checkpoint, []);
}

/**
 * What a checkpoint passes over once it is saved: what is not for this Machine is not visited.
 * @param before the phases that were passed already
 */
export function reportSkipped(
  { env, journal }: Step,
  subject: Subject,
  { passed }: Checkpoint,
  before: readonly string[],
): void {
  const { machine, dialect, nodeDeletion } = subject;
  const skipped = dialect.phases.filter((phase) => passed[phase] !== undefined && !before.includes(phase));
  logSkipped(env, passed, skipped, nodeDeletion);
  if (skipped.includes('drain')) journal.events.push(...dialect.events(machine, { what: 'drain-skipped' }));
}

const unusable = (why: string): MachineEvent =>
  warning(
    'CheckpointUnusable',
    `The checkpoint annotation could not be used (${why}); it was rebuilt from what can be observed`,
  );
