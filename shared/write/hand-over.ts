import type { GatedStep } from '../dialects/gate.ts';
import type { JsonPatchOperation } from '../kubernetes/client.ts';
import { type Checkpoint, checkpointAnnotation, serializeCheckpoint } from '../machine/checkpoint.ts';
import type { Subject } from '../phase/definition.ts';
import { machineResource } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import { afterWrite, keyOf, type Saved, WriteRefused } from './outcome.ts';
import { webhookFailureAsRefusal } from './webhook-failure.ts';

/**
 * Takes our hook off, and only ours, if the Machine is still exactly as it was seen. The same patch saves the checkpoint and
 * puts on the exclusions: there is no moment with one and without the other. Throws as saveCheckpoint.
 */
export async function takeHookOff(
  env: Environment,
  { machine, dialect }: Subject,
  checkpoint: Checkpoint,
  exclusions: readonly GatedStep[],
): Promise<Saved> {
  const { beside } = dialect;
  if (beside === undefined) throw new Error(`${dialect.name} has no hook of ours`);
  const path = pathOf(beside.hook);
  const patch: JsonPatchOperation[] = [
    { op: 'test', path: '/metadata/uid', value: machine.ref.uid },
    { op: 'test', path: '/metadata/resourceVersion', value: machine.resourceVersion },
    { op: 'test', path, value: beside.owner },
    { op: 'remove', path },
    { op: 'add', path: pathOf(checkpointAnnotation), value: serializeCheckpoint(checkpoint) },
    ...exclusions
      .map((step) => beside.exclusionOf[step])
      .filter((annotation) => !(annotation in machine.annotations))
      .map((annotation) => ({ op: 'add', path: pathOf(annotation), value: beside.owner }) as const),
  ];
  const age = env.clock.stopwatch();
  const resource = machineResource(dialect, machine.ref);
  const outcome = await webhookFailureAsRefusal(env.management.jsonPatch(resource, keyOf(machine), patch));
  if (outcome.kind === 'refused') throw new WriteRefused(`${hookStays}: ${outcome.message}`);
  if (outcome.kind === 'written' && outcome.object.metadata.annotations?.[beside.hook] !== undefined)
    throw new WriteRefused(`${hookStays}: it is there again; a webhook may put it back`);
  return afterWrite(env, { machine, dialect }, outcome, age);
}

/** How each refusal of that patch begins. */
export const hookStays = 'the hook could not be taken off';

/** As JSON Patch names an annotation. */
const pathOf = (annotation: string): string =>
  `/metadata/annotations/${annotation.replaceAll('~', '~0').replaceAll('/', '~1')}`;
