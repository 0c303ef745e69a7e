import type { WriteOutcome } from '../kubernetes/client.ts';
import type { Subject } from '../phase/definition.ts';
import { machineResource } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import { afterWrite, keyOf, type Saved, WriteRefused, webhookFailureAsRefusal } from './outcome.ts';

/** What is written down on a Machine. */
interface Written {
  annotation: string;
  text: string;
  /** Annotations that may get lost. */
  beside?: Readonly<Record<string, string>>;
  /** What is said where it is refused. */
  refusal: string;
}

/** Writes an annotation, if the Machine is still as it was seen. Throws WriteRefused, and Unavailable. */
export async function saveAnnotation(
  env: Environment,
  { machine, dialect }: Subject,
  { annotation, text, beside = {}, refusal }: Written,
): Promise<Saved> {
  const unwritten = (why: string): WriteRefused => new WriteRefused(`${refusal}: ${why}`);
  const annotations = { [annotation]: text, ...beside };
  const patch = { metadata: { resourceVersion: machine.resourceVersion, uid: machine.ref.uid, annotations } };
  const resource = machineResource(dialect, machine.ref);
  const age = env.clock.stopwatch();
  const outcome = await webhookFailureAsRefusal(env.management.mergePatch(resource, keyOf(machine), patch));
  if (outcome.kind === 'refused') throw unwritten(outcome.message);
  if (isLost(outcome, annotation, text))
    throw unwritten('it is not what was stored; a webhook may keep the annotation off');
  return afterWrite(env, { machine, dialect }, outcome, age);
}

/** A webhook may let the write pass and change its content. Then nothing is saved, whatever the API server answers. */
const isLost = (outcome: WriteOutcome, annotation: string, text: string): boolean =>
  outcome.kind === 'written' && outcome.object.metadata.annotations?.[annotation] !== text;
