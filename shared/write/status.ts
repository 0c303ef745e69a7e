import { isDeepStrictEqual } from 'node:util';
import type { Stopwatch } from '../time/clock.ts';
import type { StatusInput } from '../dialects/dialect.ts';
import type { JsonPatchOperation, WriteOutcome } from '../kubernetes/client.ts';
import { type Checkpoint, checkpointAnnotation, serializeCheckpoint } from '../machine/checkpoint.ts';
import { type Machine, withNode } from '../machine/machine.ts';
import { finalizerStays } from '../machine/reason.ts';
import type { Subject } from '../phase/definition.ts';
import { machineResource } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import { mergeDifference } from './merge-patch.ts';
import { orUnasked } from './webhook-failure.ts';
import type { Saying } from '../cache/status-writes.ts';
import { traceAnnotations } from '../runtime/trace-propagation.ts';
import { CouldNotLook } from '../kubernetes/errors.ts';

/**
 * What became of a write of the Machine itself. `age`: since it was sent, for the Machine may have changed by the time of its
 * answer; undefined where nothing had to be written.
 */
export type Saved =
  | { kind: 'saved'; machine: Machine; age?: Stopwatch }
  | { kind: 'conflict' }
  | { kind: 'gone' };

/** The API server has refused to change the Machine (403, 422, an unanswered webhook): asked again soon it will say the same. */
export class WriteRefused extends CouldNotLook {}

/** Writes the checkpoint, provided that the Machine is still as it was seen. Throws WriteRefused, and CouldNotLook. */
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
  const outcome = await orUnasked(env.management.mergePatch(resource, keyOf(machine), patch));
  if (outcome.kind === 'refused') throw unwritten(outcome.message);
  if (isLost(outcome, text))
    throw unwritten('it is not what was stored; a webhook may keep the annotation off');
  return afterWrite(env, { machine, dialect }, outcome, age);
}

/** A webhook may let the write pass and change what is written: then nothing is saved, whatever the API server says. */
const isLost = (outcome: WriteOutcome, text: string): boolean =>
  outcome.kind === 'written' && outcome.object.metadata.annotations?.[checkpointAnnotation] !== text;

const unwritten = (why: string): WriteRefused =>
  new WriteRefused(`the checkpoint could not be written: ${why}`);

/**
 * What became of the Machine's status, and whether it had to be written. `saysOtherwise`: it has to be, and not so soon
 * after it was.
 */
type Said =
  | (Saved & { kind: 'saved'; changed: boolean; saysOtherwise?: boolean })
  | Exclude<Saved, { kind: 'saved' }>;

/**
 * Says how a Machine that waits stands, unless that would only answer another instance once more: each write is news to
 * both, and two that see different things, such as a cluster that one of them cannot reach, or an error that never has
 * the same text, would answer each other as fast as the API server takes it. The next look says it again.
 */
export async function sayWhereItStands(
  env: Environment,
  subject: Subject,
  input: StatusInput,
): Promise<Said> {
  const { machine } = subject;
  const saying = sayingOf(subject, input);
  const isTooSoon = env.memory.said.isTooSoon(machine.ref.uid, saying);
  if (!isTooSoon) return writeStatus(env, subject, saying);
  const saysOtherwise = changedFields(saying.over, saying.status) !== undefined;
  return { kind: 'saved', machine, changed: false, saysOtherwise };
}

export const saveStatus = (env: Environment, subject: Subject, input: StatusInput): Promise<Said> =>
  writeStatus(env, subject, sayingOf(subject, input));

const sayingOf = ({ machine, dialect }: Subject, input: StatusInput): Saying => ({
  status: dialect.status(input),
  over: machine.raw['status'],
  failure: input.report?.error === undefined ? undefined : input.report.reason,
});

/** Writes what differs between the status that is there and the one that should be; nothing when nothing does. */
async function writeStatus(env: Environment, { machine, dialect }: Subject, saying: Saying): Promise<Said> {
  const status = changedFields(saying.over, saying.status);
  const same = { kind: 'saved', machine, changed: false } as const;
  if (status === undefined || isFutile(env, machine, status)) return same;
  const { resourceVersion } = machine;
  const patch = { metadata: { resourceVersion, uid: machine.ref.uid }, status };
  const resource = machineResource(dialect, machine.ref);
  const age = env.clock.stopwatch();
  const outcome = await env.management.mergePatch(resource, keyOf(machine), patch, 'status');
  if (outcome.kind === 'refused') {
    // What users read is worth less than the deletion itself: it goes on, and the refusal is in the log.
    env.log.warn('Status was refused', { why: outcome.message });
    env.memory.refusedStatuses.remember(machine.ref.uid, resourceVersion);
    return same;
  }
  const after = afterWrite(env, { machine, dialect }, outcome, age);
  if (after.kind !== 'saved') return after;
  if (after.machine.resourceVersion !== resourceVersion) {
    env.memory.said.remember(machine.ref.uid, saying);
    return { ...after, changed: true };
  }
  // An older API keeps some fields of the status out: writing them again would change nothing again.
  env.memory.rememberFutileStatus(machine.ref.uid, resourceVersion, status);
  return { ...after, changed: false };
}

const isFutile = ({ memory }: Environment, { ref, resourceVersion }: Machine, status: object): boolean =>
  memory.refusedStatuses.isAtRest(ref.uid, resourceVersion) ||
  memory.isStatusKnownFutile(ref.uid, resourceVersion, status);

/**
 * Takes our finalizer off, and only ours, if the Machine is still exactly as it was seen; `saved` where those of others
 * hold it still. Throws as saveCheckpoint.
 */
export async function removeFinalizer(env: Environment, { machine, dialect }: Subject): Promise<Saved> {
  const path = `/metadata/finalizers/${machine.finalizers.indexOf(dialect.finalizer)}`;
  const patch: JsonPatchOperation[] = [
    { op: 'test', path: '/metadata/uid', value: machine.ref.uid },
    { op: 'test', path: '/metadata/resourceVersion', value: machine.resourceVersion },
    { op: 'test', path, value: dialect.finalizer },
    { op: 'remove', path },
  ];
  const resource = machineResource(dialect, machine.ref);
  const outcome = await orUnasked(env.management.jsonPatch(resource, keyOf(machine), patch));
  if (outcome.kind === 'refused') throw new WriteRefused(`${finalizerStays}: ${outcome.message}`);
  env.memory.forgetMachine(machine.ref.uid);
  if (outcome.kind === 'conflict') return { kind: 'conflict' };
  if (outcome.kind === 'gone') return { kind: 'gone' };
  const { finalizers = [] } = outcome.object.metadata;
  if (finalizers.includes(dialect.finalizer))
    throw new WriteRefused(`${finalizerStays}: it is there again; a webhook may put it back`);
  return finalizers.length > 0 ? { kind: 'saved', machine: dialect.read(outcome.object) } : { kind: 'gone' };
}

const keyOf = ({ ref }: Machine): { namespace: string; name: string } => ({
  namespace: ref.namespace,
  name: ref.name,
});

function afterWrite(
  env: Environment,
  { machine, dialect }: Pick<Subject, 'machine' | 'dialect'>,
  outcome: Exclude<WriteOutcome, { kind: 'refused' }>,
  age: Stopwatch,
): Saved {
  if (outcome.kind === 'written') {
    env.memory.rememberMachine(outcome.object, age);
    const written = dialect.read(outcome.object);
    return { kind: 'saved', machine: withNode(written, machine.nodeName), age };
  }
  env.memory.forgetMachine(machine.ref.uid);
  return { kind: outcome.kind };
}

/** As a merge patch has it: of an object, too, what is there no more has to be taken off by name. */
function changedFields(before: unknown, after: Record<string, unknown>): Record<string, unknown> | undefined {
  const known = new Map<string, unknown>(Object.entries(before ?? {}));
  const changed = Object.entries(after).flatMap(([field, value]) => {
    const was = known.get(field);
    // What a provider keeps there may have nulls, which a merge patch would take off.
    const change = isDeepStrictEqual(was, value) ? undefined : mergeDifference(was, value);
    return change === undefined ? [] : [[field, change] as const];
  });
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}
