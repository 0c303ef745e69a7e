import type { WriteOutcome } from '../kubernetes/client.ts';
import { type Checkpoint, checkpointAnnotation, serializeCheckpoint } from '../machine/checkpoint.ts';
import type { Subject } from '../phase/definition.ts';
import { machineResource } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import { traceAnnotations } from '../runtime/telemetry.ts';
import { afterWrite, keyOf, type Saved, WriteRefused, webhookFailureAsRefusal } from './outcome.ts';

/** Writes the checkpoint, if the Machine is still as it was seen. Throws WriteRefused, and Unavailable. */
export async function saveCheckpoint(
  env: Environment,
  { machine, dialect }: Subject,
  checkpoint: Checkpoint,
): Promise<Saved> {
  const text = serializeCheckpoint(checkpoint);
  const annotations = { [checkpointAnnotation]: text, ...traceAnnotations(env, machine) };
  const patch = { metadata: { resourceVersion: machine.resourceVersion, uid: machine.ref.uid, annotations } };
  const resource = machineResource(dialect, machine.ref);
  const age = env.clock.stopwatch();
  const outcome = await webhookFailureAsRefusal(env.management.mergePatch(resource, keyOf(machine), patch));
  if (outcome.kind === 'refused') throw unwritten(outcome.message);
  if (isLost(outcome, text))
    throw unwritten('it is not what was stored; a webhook may keep the annotation off');
  return afterWrite(env, { machine, dialect }, outcome, age);
}

/** A webhook may let the write pass and change its content. Then nothing is saved, whatever the API server answers. */
const isLost = (outcome: WriteOutcome, text: string): boolean =>
  outcome.kind === 'written' && outcome.object.metadata.annotations?.[checkpointAnnotation] !== text;

const unwritten = (why: string): WriteRefused =>
  new WriteRefused(`the checkpoint could not be written: ${why}`);
