import { type OurHook, pathOfAnnotation } from '../dialects/beside/hook.ts';
import type { Beside } from '../dialects/dialect.ts';
import type { GatedStep } from '../dialects/gate.ts';
import type { JsonPatchOperation } from '../kubernetes/client.ts';
import { type Checkpoint, checkpointAnnotation, serializeCheckpoint } from '../machine/checkpoint.ts';
import type { Machine } from '../machine/machine.ts';
import type { Subject } from '../phase/definition.ts';
import { machineResource } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import { takeHookOff } from './hook-off.ts';
import { afterWrite, keyOf, type Saved, WriteRefused, webhookFailureAsRefusal } from './outcome.ts';

/**
 * Takes these hooks of ours off, if the Machine is still exactly as it was seen. The same patch saves the
 * checkpoint and puts the exclusions on: the Machine never has one without the other. Throws as saveCheckpoint.
 */
export async function releaseMachine(
  env: Environment,
  { machine, dialect }: Subject,
  { hooks, checkpoint, exclusions }: LettingGo,
): Promise<Saved> {
  const beside = besideOf(dialect);
  const resource = machineResource(dialect, machine.ref);
  const age = env.clock.stopwatch();
  const outcome = await takeHookOff({ kubernetes: env.management, resource, machine: machine.raw, hooks }, [
    { op: 'add', path: pathOfAnnotation(checkpointAnnotation), value: serializeCheckpoint(checkpoint) },
    ...sparing(machine, beside, exclusions),
  ]);
  if (outcome.kind === 'refused') throw new WriteRefused(`${hookStays}: ${outcome.message}`);
  if (outcome.kind === 'back')
    throw new WriteRefused(`${hookStays}: it is there again; a webhook may put it back`);
  return afterWrite(env, { machine, dialect }, outcome, age);
}

/** The hooks that go, and what is written with that. */
interface LettingGo {
  hooks: readonly OurHook[];
  checkpoint: Checkpoint;
  exclusions: readonly GatedStep[];
}

/** Each refusal of that patch begins so. */
export const hookStays = 'the hook could not be taken off';

/** The annotations by which the API's own controller skips these steps, if it has any. */
const sparing = (
  { annotations }: Machine,
  { skipPeerDrain: way, owner }: Beside,
  exclusions: readonly GatedStep[],
): JsonPatchOperation[] =>
  way.by !== 'annotation'
    ? []
    : exclusions
        .map((step) => way.of[step])
        .filter((annotation) => !(annotation in annotations))
        .map((annotation) => ({ op: 'add', path: pathOfAnnotation(annotation), value: owner }));

/**
 * Marks the Machine as drained, if it is still exactly as it was seen. Its own controller goes on at once. Throws as
 * saveCheckpoint.
 */
export async function markDrained(env: Environment, { machine, dialect }: Subject): Promise<Saved> {
  const { skipPeerDrain: way } = besideOf(dialect);
  if (way.by !== 'mark') throw new Error(`${dialect.name} has no mark for a drain`);
  const age = env.clock.stopwatch();
  const resource = machineResource(dialect, machine.ref);
  const patch = way.patch(machine, env.clock.now());
  const outcome = await webhookFailureAsRefusal(
    env.management.jsonPatch(resource, keyOf(machine), patch, 'status'),
  );
  if (outcome.kind === 'refused')
    throw new WriteRefused(`it could not be marked as drained: ${outcome.message}`);
  const saved = afterWrite(env, { machine, dialect }, outcome, age);
  if (saved.kind === 'saved' && !dialect.isDone(saved.machine, 'drain'))
    throw new WriteRefused('it could not be marked as drained: the API server has kept no such condition');
  return saved;
}

function besideOf({ beside, name }: Subject['dialect']): Beside {
  if (beside === undefined) throw new Error(`${name} has no hook of ours`);
  return beside;
}
