import { hasHook } from '../dialects/beside/hook.ts';
import { shownDrain } from '../dialects/beside/status.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { shownReason } from '../dialects/shown-reason.ts';
import { askedAt } from '../hooks/asked.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { isPast, usableCheckpoint } from '../machine/checkpoint.ts';
import { isDeleting, type Machine } from '../machine/machine.ts';
import type { Member } from '../policies/places.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Instant } from '../time/clock.ts';
import { isOurs } from './machine.ts';
import { unseenSurroundings } from './surroundings.ts';

/** What is read of a Machine's surroundings to judge its place in the line. */
export interface MemberInput {
  dialect: Dialect;
  /** Its Cluster, where that was read. */
  cluster: KubeObject | undefined;
  /** Whether its Node is Ready, by the Node itself; undefined where the Machine tells, or nothing does. */
  isNodeReady?: boolean | undefined;
}

/** A Machine as DrainPolicies see it. */
export function memberOf(env: Environment, machine: Machine, input: MemberInput): Member {
  const { dialect, cluster, isNodeReady } = input;
  const { deletionTimestamp: deletedAt, ref, labels, isControlPlane } = machine;
  const begunAt = begunAtOf(env, machine, dialect);
  return {
    uid: ref.uid,
    name: ref.name,
    labels,
    clusterLabels: cluster?.metadata.labels ?? {},
    isControlPlane,
    ...(deletedAt !== undefined && { deletedAt }),
    isReady: dialect.nodeReadiness === undefined ? isNodeReady : dialect.nodeReadiness(machine),
    ...(begunAt !== undefined && { begunAt }),
    waitsElsewhere: waitsElsewhere(machine, input),
  };
}

/** One that cannot be read: what is unknown counts. */
export function unreadableMember({ metadata }: KubeObject): Member {
  const { uid = '', name, labels = {}, deletionTimestamp } = metadata;
  const deletedAt = Date.parse(deletionTimestamp ?? '');
  const times = Number.isNaN(deletedAt) ? {} : { deletedAt, begunAt: deletedAt };
  return {
    uid,
    name,
    labels,
    clusterLabels: {},
    isControlPlane: false,
    isReady: undefined,
    waitsElsewhere: true,
    ...times,
  };
}

/**
 * Since when a Machine counts by its own words: since it is past the wait for places. One that no hold of ours stops
 * before its drain counts from its deletion.
 */
function begunAtOf(env: Environment, machine: Machine, dialect: Dialect): Instant | undefined {
  const { deletionTimestamp } = machine;
  if (deletionTimestamp === undefined) return undefined;
  if (!isHeldBeforeDrain(env, machine, dialect)) return deletionTimestamp;
  const checkpoint = usableCheckpoint(machine, dialect.phases);
  if (checkpoint === undefined) return undefined;
  if (isPast(checkpoint, 'pre-drain') || askedAt(machine, 'PreDrain') !== undefined)
    return Date.parse(checkpoint.passed.drain?.since ?? checkpoint.since);
  return undefined;
}

/** Whether a hold of ours stops a deleting Machine before its drain. */
function isHeldBeforeDrain(env: Environment, machine: Machine, dialect: Dialect): boolean {
  if (dialect.isObserved === true || !isOurs(env, machine, dialect)) return false;
  const { beside, hold } = dialect;
  if (beside === undefined) return hold.isOn(machine);
  return hasHook(machine.raw, beside.hooks.PreDrain) && !beside.isPassedOver(machine);
}

/** The reason that a waiting Machine shows; empty where it shows none. */
export const shownWait = (machine: Machine, dialect: Dialect): string =>
  dialect.beside === undefined ? shownReason(machine.raw, 'pre-drain') : (shownDrain(machine)?.reason ?? '');

/** It shows these while it waits for its turn among others, or nothing. */
const shownInLine = ['', 'Deleting', 'WaitingForDrainPolicy'];

/** Whether a waiting Machine waits for something else first. Then it holds up no Machine behind it. */
function waitsElsewhere(machine: Machine, { dialect, cluster }: MemberInput): boolean {
  if (!isDeleting(machine)) return false;
  const paused = dialect.pausedBy(machine, { ...unseenSurroundings, cluster });
  if (paused.length > 0 || dialect.invalidity(machine) !== undefined) return true;
  if (dialect.hooks(machine, 'pre-drain').length > 0) return true;
  return !shownInLine.includes(shownWait(machine, dialect));
}
