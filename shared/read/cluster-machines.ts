import { claimsOfOthers, type OtherClaims, partOf } from '../dialects/claims.ts';
import type { ClusterMachines, Dialect } from '../dialects/dialect.ts';
import type { ObjectList } from '../kubernetes/client.ts';
import { Forbidden, Unavailable, Undetermined } from '../kubernetes/errors.ts';
import type { Machine } from '../machine/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import { machineResource } from './machine.ts';

/** Whose a Node is changes seldom: all steps of an instance share a list for so long. */
export const claimsAgeMilliseconds = 30_000;

/** Names the list of all Machines of the Machine's Cluster. */
export function clusterKey(
  { settings }: Pick<Environment, 'settings'>,
  machine: Machine,
  dialect: Dialect,
): string {
  const { namespace = '', labelSelector = '' } = selectionFor(settings, machine, dialect);
  return `${dialect.group}|${namespace}|${labelSelector}`;
}

/** Where only some namespaces are ours, we may list no others. */
const selectionFor = (
  { namespaces }: Environment['settings'],
  machine: Machine,
  dialect: Dialect,
): ClusterMachines => ({
  ...(namespaces.length > 0 && { namespace: machine.ref.namespace }),
  ...dialect.clusterMachines(machine),
});

/** All Machines of the Machine's Cluster, as they were not longer ago than this. Throws Unavailable. */
export function clusterMachines(
  env: Environment,
  machine: Machine,
  dialect: Dialect,
  maxAgeMilliseconds: number,
): Promise<ObjectList> {
  const selection = selectionFor(env.settings, machine, dialect);
  return env.cache.clusterMachines.get(clusterKey(env, machine, dialect), maxAgeMilliseconds, () =>
    env.management.list(machineResource(dialect, machine.ref), selection, partOf),
  );
}

/**
 * What the other Machines of the Cluster say of their Nodes. Without the right to list them that is unknown, and said. Throws
 * Undetermined: no time limit runs while it cannot be asked.
 */
export async function otherClaims(
  env: Environment,
  machine: Machine,
  dialect: Dialect,
): Promise<OtherClaims> {
  try {
    const { items } = await clusterMachines(env, machine, dialect, claimsAgeMilliseconds);
    const unread = unlistedIn(env, machine, dialect);
    return { claims: claimsOfOthers(machine.raw, items), ...(unread !== undefined && { unread }) };
  } catch (error) {
    if (error instanceof Forbidden) return { claims: [], unread: error.statusText };
    if (!(error instanceof Unavailable)) throw error;
    const { message, statusText, retryAfterSeconds } = error;
    throw new Undetermined(message, { statusText, retryAfterSeconds, cause: error });
  }
}

/** Why Machines may be missing in the list. */
const unlistedIn = ({ settings }: Environment, machine: Machine, dialect: Dialect): string | undefined =>
  settings.namespaces.length > 0 && dialect.clusterMachines(machine).namespace === undefined
    ? 'Machines of other namespaces are not looked at'
    : undefined;
