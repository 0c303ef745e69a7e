import type { ControlPlaneMembers, Dialect } from '../dialects/dialect.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { Machine } from '../machine/machine.ts';
import type { Subject } from '../phase-definition.ts';
import type { Environment } from './environment.ts';
import { machineResource } from './find-machine.ts';

/** Whether it is the last one is asked of a member when another has just gone. */
const memberAgeMilliseconds = 1_000;
const workerAgeMilliseconds = 5_000;

const keyOf = ({ ref }: Machine, { group }: Dialect, { labelSelector }: ControlPlaneMembers): string =>
  `members|${group}|${ref.namespace}|${labelSelector}`;

/** How many members the Machine's control plane has; undefined where nothing has to be counted. Throws CouldNotLook. */
export async function countMembers(
  env: Environment,
  machine: Machine,
  dialect: Dialect,
  cluster: KubeObject | undefined,
): Promise<number | undefined> {
  const wanted = dialect.controlPlaneMembers(machine, cluster);
  if (wanted === undefined) return undefined;
  const { namespace } = machine.ref;
  const { labelSelector } = wanted;
  const age = machine.isControlPlane ? memberAgeMilliseconds : workerAgeMilliseconds;
  const members = await env.memory.lists.get(keyOf(machine, dialect, wanted), age, () =>
    env.management.list(machineResource(dialect, machine.ref), { namespace, labelSelector }),
  );
  return members.items.filter((member) => wanted.counts(member)).length;
}

/** A member that was let go must not be counted any more, however young the count is. */
export function forgetMember({ memory }: Environment, { machine, dialect, surroundings }: Subject): void {
  const wanted = dialect.controlPlaneMembers(machine, surroundings.cluster);
  if (wanted?.counts(machine.raw)) memory.lists.forget(keyOf(machine, dialect, wanted));
}
