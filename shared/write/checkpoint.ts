import { type Checkpoint, checkpointAnnotation, serializeCheckpoint } from '../machine/checkpoint.ts';
import type { Subject } from '../phase/definition.ts';
import type { Environment } from '../runtime/environment.ts';
import { traceAnnotations } from '../runtime/telemetry.ts';
import { saveAnnotation } from './annotation.ts';
import type { Saved } from './outcome.ts';

/** Writes the checkpoint, if the Machine is still as it was seen. Throws WriteRefused, and Unavailable. */
export const saveCheckpoint = (env: Environment, subject: Subject, checkpoint: Checkpoint): Promise<Saved> =>
  saveAnnotation(env, subject, {
    annotation: checkpointAnnotation,
    text: serializeCheckpoint(checkpoint),
    beside: traceAnnotations(env, subject.machine),
    refusal: 'the checkpoint could not be written',
  });
