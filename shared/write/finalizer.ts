import { rememberOwnWrite } from '../cache/cache.ts';
import type { JsonPatchOperation } from '../kubernetes/client.ts';
import type { Machine } from '../machine/machine.ts';
import { finalizerStays } from '../machine/reason.ts';
import type { Subject } from '../phase/definition.ts';
import { machineResource } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import { keyOf, WriteRefused, webhookFailureAsRefusal } from './outcome.ts';

type Removed =
  /** `rest`: the Machine, if finalizers of others still hold it. */
  | { kind: 'removed'; rest: Machine | undefined }
  | { kind: 'conflict' }
  /** The Machine was gone already. */
  | { kind: 'gone' };

/** Takes our finalizer off, and only ours, if the Machine is still exactly as it was seen. Throws as saveCheckpoint. */
export async function removeFinalizer(env: Environment, { machine, dialect }: Subject): Promise<Removed> {
  const path = `/metadata/finalizers/${machine.finalizers.indexOf(dialect.finalizer)}`;
  const patch: JsonPatchOperation[] = [
    { op: 'test', path: '/metadata/uid', value: machine.ref.uid },
    { op: 'test', path: '/metadata/resourceVersion', value: machine.resourceVersion },
    { op: 'test', path, value: dialect.finalizer },
    { op: 'remove', path },
  ];
  const resource = machineResource(dialect, machine.ref);
  const outcome = await webhookFailureAsRefusal(env.management.jsonPatch(resource, keyOf(machine), patch));
  if (outcome.kind === 'refused') throw new WriteRefused(`${finalizerStays}: ${outcome.message}`);
  env.cache.forgetMachine(machine.ref.uid);
  if (outcome.kind === 'conflict') return { kind: 'conflict' };
  if (outcome.kind === 'gone') return { kind: 'gone' };
  rememberOwnWrite(env.cache, outcome.object);
  const { finalizers = [] } = outcome.object.metadata;
  if (finalizers.includes(dialect.finalizer))
    throw new WriteRefused(`${finalizerStays}: it is there again; a webhook may put it back`);
  const rest = finalizers.length > 0 ? dialect.read(outcome.object) : undefined;
  return { kind: 'removed', rest };
}
