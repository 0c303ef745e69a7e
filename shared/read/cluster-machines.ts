import { claimsOfOthers, type OtherClaims, partOf } from '../dialects/claims.ts';
import type { ClusterMachines, ControlPlaneMembers, Dialect } from '../dialects/dialect.ts';
import type { ObjectList } from '../kubernetes/client.ts';
import { Forbidden, Unavailable, Undetermined } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { checkpointAnnotation, parseCheckpoint } from '../machine/checkpoint.ts';
import type { Machine } from '../machine/machine.ts';
import type { Subject } from '../phase/definition.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Instant } from '../time/clock.ts';
import { machineResource } from './machine.ts';

/** The owner of a Node changes seldom, so all steps of an instance share a list this long. */
const claimsAgeMilliseconds = 30_000;

/** Names the list of all Machines of the Machine's Cluster. */
function clusterKey({ settings }: Pick<Environment, 'settings'>, machine: Machine, dialect: Dialect): string {
  const { namespace = '', labelSelector = '' } = selectionFor(settings, machine, dialect);
  return `${dialect.group}|${namespace}|${labelSelector}`;
}

/** If only some namespaces are ours, we may list no others. */
const selectionFor = (
  { namespaces }: Environment['settings'],
  machine: Machine,
  dialect: Dialect,
): ClusterMachines => ({
  ...(namespaces.length > 0 && { namespace: machine.ref.namespace }),
  ...dialect.clusterMachines(machine),
});

/** All Machines of the Machine's Cluster, at most `maxAgeMilliseconds` old. Throws Unavailable. */
function clusterMachines(
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
 * What the other Machines of the Cluster claim of their Nodes. Without the right to list them, `unread` has the
 * reason. Throws Undetermined if the list fails: no time limit runs then.
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

/** A member asks whether it is the last one when another has just gone. */
const memberAgeMilliseconds = 1_000;
const workerAgeMilliseconds = 5_000;
/** A member goes a moment after the end of its Node. One that stays longer counts. */
const leavingMilliseconds = 1_000;

const keyOf = ({ ref }: Machine, { group }: Dialect, { labelSelector }: ControlPlaneMembers): string =>
  `members|${group}|${ref.namespace}|${labelSelector}`;

/**
 * How many members the Machine's control plane has; undefined if there is nothing to count. Members whose Nodes are
 * deleted side by side count as if they went one after the other. So the last one counts as the last. Throws
 * Unavailable.
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
  const own = machine.ref.uid;
  const isLeaving = (member: KubeObject): boolean => {
    const since = atItsNode(member, dialect);
    if (since === undefined || env.clock.now() - since > leavingMilliseconds) return false;
    const other = member.metadata.uid ?? '';
    return own !== other && (at === undefined || since < at || (since === at && other < own));
  };
  const count = async (maxAgeMilliseconds: number): Promise<number> => {
    const { items } = await listMembers(env, machine, dialect, { wanted, maxAgeMilliseconds });
    // The asking Machine is known better than from a list that may be older than its deletion.
    const known = items.map((member) => (member.metadata.uid === own ? machine.raw : member));
    return known.filter((member) => wanted.counts(member) && !isLeaving(member)).length;
  };
  // A member that deletes its Node must not miss another one, so the next list is new.
  if (at !== undefined && wanted.counts(machine.raw)) forgetCount(env, machine, dialect, wanted);
  if (machine.isControlPlane) return count(memberAgeMilliseconds);
  // Without members nothing is drained, and hooks hold nothing. A list that is older than a member may be must not
  // decide that.
  return (await count(workerAgeMilliseconds)) || count(memberAgeMilliseconds);
}

/** Takes the members from a list of the whole Cluster, if that is new enough or needed next. Otherwise lists only them. */
async function listMembers(
  env: Environment,
  machine: Machine,
  dialect: Dialect,
  { wanted, maxAgeMilliseconds }: { wanted: ControlPlaneMembers; maxAgeMilliseconds: number },
): Promise<ObjectList> {
  const { namespace } = machine.ref;
  const { labelSelector } = wanted;
  const { lists, clusterMachines: known } = env.cache;
  const key = keyOf(machine, dialect, wanted);
  const listed = await lists.known(key, maxAgeMilliseconds);
  if (listed !== undefined) return listed;
  const whole = clusterKey(env, machine, dialect);
  const isNextAsked = mustAskOthers(machine) && known.known(whole, claimsAgeMilliseconds) === undefined;
  if (isNextAsked || known.known(whole, maxAgeMilliseconds) !== undefined) {
    const all = await clusterMachines(env, machine, dialect, maxAgeMilliseconds);
    return { ...all, items: all.items.filter(wanted.isMember) };
  }
  return lists.get(key, maxAgeMilliseconds, () =>
    env.management.list(machineResource(dialect, machine.ref), { namespace, labelSelector }),
  );
}

/** A nodeRef without a UID never proves by itself whose Node it is. */
const mustAskOthers = ({ nodeName, nodeUid }: Machine): boolean =>
  nodeName !== undefined && nodeUid === undefined;

/** When a member that we hold came to the end of its Node. Undefined before that, or once it was released. */
function atItsNode({ metadata }: KubeObject, { finalizer }: Dialect): Instant | undefined {
  const { annotations = {}, finalizers = [], uid = '' } = metadata;
  const reading = parseCheckpoint(annotations[checkpointAnnotation], uid);
  if (reading.kind !== 'valid' || !finalizers.includes(finalizer)) return undefined;
  const { phase, since, passed } = reading.checkpoint;
  const time = phase === 'finalize' ? passed.node?.since : since;
  return time === undefined || !['node', 'finalize'].includes(phase) ? undefined : Date.parse(time);
}

/** A released member must not count any more, however young the count is. */
export function forgetMember(env: Environment, { machine, dialect, surroundings }: Subject): void {
  const wanted = dialect.controlPlaneMembers(machine, surroundings.cluster);
  if (wanted?.counts(machine.raw)) forgetCount(env, machine, dialect, wanted);
}

function forgetCount(
  env: Environment,
  machine: Machine,
  dialect: Dialect,
  wanted: ControlPlaneMembers,
): void {
  env.cache.lists.forget(keyOf(machine, dialect, wanted));
  env.cache.clusterMachines.forget(clusterKey(env, machine, dialect));
}
