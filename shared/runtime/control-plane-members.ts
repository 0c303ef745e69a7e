import type { Instant } from '../clock.ts';
import type { ControlPlaneMembers, Dialect } from '../dialects/dialect.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { ObjectList } from '../kubernetes/port.ts';
import { checkpointAnnotation, parseCheckpoint } from '../machine/checkpoint.ts';
import type { Machine } from '../machine/machine.ts';
import type { Subject } from '../phase-definition.ts';
import type { Environment } from './environment.ts';
import { machineResource } from './find-machine.ts';

/** Whether it is the last one is asked of a member when another has just gone. */
const memberAgeMilliseconds = 1_000;
const workerAgeMilliseconds = 5_000;
/** It takes a moment from the end of its Node until a member is let go. One that stays there for longer counts. */
const leavingMilliseconds = 1_000;

const keyOf = ({ ref }: Machine, { group }: Dialect, { labelSelector }: ControlPlaneMembers): string =>
  `members|${group}|${ref.namespace}|${labelSelector}`;

/**
 * How many members the Machine's control plane has; undefined where nothing has to be counted. Members whose Nodes are
 * deleted side by side are counted as if they went one after the other, so that the last one is the last. Throws
 * CouldNotLook.
 */
export async function countMembers(
  env: Environment,
  machine: Machine,
  dialect: Dialect,
  cluster: KubeObject | undefined,
): Promise<number | undefined> {
  const wanted = dialect.controlPlaneMembers(machine, cluster);
  if (wanted === undefined) return undefined;
  const at = atItsNode(machine.raw, dialect);
  const isFresh = at !== undefined && wanted.counts(machine.raw);
  const { items } = await listMembers(env, machine, dialect, { wanted, isFresh });
  const [own, now] = [machine.ref.uid, env.clock.now()];
  // Who asks is known better than by a list that may be older than its deletion.
  const known = items.map((member) => (member.metadata.uid === own ? machine.raw : member));
  const isLeaving = (member: KubeObject): boolean => {
    const since = atItsNode(member, dialect);
    if (since === undefined || now - since > leavingMilliseconds) return false;
    const other = member.metadata.uid ?? '';
    return own !== other && (at === undefined || since < at || (since === at && other < own));
  };
  return known.filter((member) => wanted.counts(member) && !isLeaving(member)).length;
}

/** `isFresh`: nobody who has come to its Node before may be missed. */
function listMembers(
  env: Environment,
  machine: Machine,
  dialect: Dialect,
  { wanted, isFresh }: { wanted: ControlPlaneMembers; isFresh: boolean },
): Promise<ObjectList> {
  const { namespace } = machine.ref;
  const { labelSelector } = wanted;
  const key = keyOf(machine, dialect, wanted);
  if (isFresh) env.memory.lists.forget(key);
  const age = machine.isControlPlane ? memberAgeMilliseconds : workerAgeMilliseconds;
  return env.memory.lists.get(key, age, () =>
    env.management.list(machineResource(dialect, machine.ref), { namespace, labelSelector }),
  );
}

/** When a member that we hold came to the end of its Node; undefined while it has not, or once it was let go. */
function atItsNode({ metadata }: KubeObject, { finalizer }: Dialect): Instant | undefined {
  const { annotations = {}, finalizers = [], uid = '' } = metadata;
  const reading = parseCheckpoint(annotations[checkpointAnnotation], uid);
  if (reading.kind !== 'valid' || !finalizers.includes(finalizer)) return undefined;
  const { phase, since, passed } = reading.checkpoint;
  const time = phase === 'finalize' ? passed.node?.since : since;
  return time === undefined || !['node', 'finalize'].includes(phase) ? undefined : Date.parse(time);
}

/** A member that was let go must not be counted any more, however young the count is. */
export function forgetMember({ memory }: Environment, { machine, dialect, surroundings }: Subject): void {
  const wanted = dialect.controlPlaneMembers(machine, surroundings.cluster);
  if (wanted?.counts(machine.raw)) memory.lists.forget(keyOf(machine, dialect, wanted));
}
