import { shownDialect } from '../assess/shown-dialect.ts';
import { type Stage, stageOf } from '../assess/stage.ts';
import { type Dialect, MachineUnreadable } from '../dialects/dialect.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { limitSecondsOf, type Machine } from '../machine/machine.ts';
import { type Phase, recordOf } from '../machine/phase.ts';
import type { Report } from '../machine/report.ts';
import { limitStart } from '../phase/time-limit.ts';
import { type Instant, rfc3339Seconds } from '../time/clock.ts';
import { actingIn, byReason } from './actor.ts';
import type { DeletionStatus, GivenUp, State } from './deletion-status.ts';

/** What is known beside the Machine. */
export interface Beside {
  now: Instant;
  /** The Machine APIs as they are configured; those that are known where nothing is said. */
  dialects?: readonly Dialect[];
  /** When the store says that it is looked at next. */
  due?: Instant | undefined;
  /** DeletionHooks, which may say who helps with the hooks of others. */
  deletionHooks?: readonly KubeObject[] | undefined;
}

/**
 * Where the deletion of a Machine stands, from the Machine as it was listed. Undefined where it is not being deleted, or its
 * API is unknown. Throws MachineUnreadable.
 */
export function standingOf(
  raw: KubeObject,
  { now, dialects, due, deletionHooks = [] }: Beside,
): DeletionStatus | undefined {
  const dialect = shownDialect(raw, dialects);
  const deletedAt = raw.metadata.deletionTimestamp;
  if (dialect === undefined || deletedAt === undefined) return undefined;
  const machine = dialect.read(raw);
  const stage = stageOf(machine, dialect, now);
  const { acts, isHeld } = actingIn(stage, { machine, dialect, deletionHooks });
  const givenUp = givenUpIn(stage, machine, dialect);
  const within = looksWithin(stage, dialect);
  const { ref, clusterName, nodeName } = machine;
  // In a line, or before a window, it takes as long as that takes.
  const isInLine = stage.reason === 'WaitingForDrainPolicy';
  const state = stateOf(isHeld, isInLine ? undefined : (stage.since ?? deletedAt), now);
  return {
    machine: ref,
    ...(clusterName !== undefined && { cluster: clusterName }),
    ...(nodeName !== undefined && { node: nodeName }),
    carriedBy: stage.by,
    ...(stage.phase !== undefined && { phase: stage.phase }),
    ...(stage.since !== undefined && { since: stage.since }),
    deletedAt,
    waitsFor: { reason: stage.reason, message: stage.message },
    acts,
    ...(due !== undefined && { looksAt: rfc3339Seconds(due) }),
    ...(within !== undefined && { looksWithinSeconds: within }),
    ...(givenUp !== undefined && { givenUp }),
    state,
    rank: ranks.indexOf(state),
  };
}

/** The same where a look beside the Machine has found what holds it up, such as a paused Cluster. */
export function standingHeldBy(standing: DeletionStatus, [held]: readonly Report[]): DeletionStatus {
  if (held === undefined || held.reason === standing.waitsFor.reason) return standing;
  const { reason, message } = held;
  const acting = byReason(held);
  if (acting === undefined) return standing;
  return {
    ...standing,
    waitsFor: { reason, message },
    acts: acting.acts,
    state: 'held',
    rank: ranks.indexOf('held'),
  };
}

/** One that cannot be read says so in its row: it keeps no other from being shown. */
export function standingOrUnread(raw: KubeObject, beside: Beside): DeletionStatus | undefined {
  try {
    return standingOf(raw, beside);
  } catch (error) {
    if (!(error instanceof MachineUnreadable)) throw error;
    return unreadable(raw, error.message);
  }
}

function unreadable({ apiVersion = '', metadata }: KubeObject, message: string): DeletionStatus | undefined {
  const { namespace = '', name, uid = '', deletionTimestamp } = metadata;
  if (deletionTimestamp === undefined) return undefined;
  return {
    machine: { apiVersion, namespace, name, uid },
    carriedBy: 'controller',
    deletedAt: deletionTimestamp,
    waitsFor: { reason: 'Unreadable', message },
    acts: { who: 'operator', name: 'an operator: the Machine cannot be read' },
    state: 'held',
    rank: ranks.indexOf('held'),
  };
}

const ranks: readonly State[] = ['held', 'late', 'progressing'];

/** When Cluster API, too, begins to call a deletion late. */
const lateMilliseconds = 15 * 60_000;

function stateOf(isHeld: boolean, since: string | undefined, now: Instant): State {
  if (isHeld) return 'held';
  return since !== undefined && now - Date.parse(since) > lateMilliseconds ? 'late' : 'progressing';
}

/** The worst first, and of those the one that waits longest. */
export const compareWorst = (one: DeletionStatus, other: DeletionStatus): number =>
  one.rank - other.rank || sinceOf(one) - sinceOf(other) || (nameOf(one) < nameOf(other) ? -1 : 1);

/** All of them in that order. */
export const worstFirst = (standings: readonly DeletionStatus[]): DeletionStatus[] =>
  standings.toSorted(compareWorst);

const sinceOf = ({ since, deletedAt }: DeletionStatus): Instant => Date.parse(since ?? deletedAt);
const nameOf = ({ machine: { namespace, name } }: DeletionStatus): string => `${namespace}/${name}`;

function givenUpIn(stage: Stage, machine: Machine, dialect: Dialect): GivenUp | undefined {
  const { phase } = stage;
  const limit = phase && recordOf(phase).limit;
  if (phase === undefined || limit === undefined) return undefined;
  const seconds = limitSecondsOf(phase, machine);
  if (seconds <= 0) return undefined;
  const start = limitStartOf(stage, phase, machine, dialect);
  return {
    afterSeconds: seconds,
    ...(start !== undefined && { at: rfc3339Seconds(start + seconds * 1_000) }),
    afterwards: limit.afterwards,
  };
}

/** The API's own controller counts the time of the Node from the deletion. */
function limitStartOf(
  { by, checkpoint, since }: Stage,
  phase: Phase,
  machine: Machine,
  dialect: Dialect,
): Instant | undefined {
  if (by === 'phaseout') return checkpoint && limitStart({ machine, dialect, checkpoint });
  if (phase === 'node') return machine.deletionTimestamp;
  return since === undefined ? undefined : Date.parse(since);
}

/** How long a wait lasts at most before the next look: ours, and those of the API's own controllers. */
function looksWithin({ by, phase, reason }: Stage, { termination }: Dialect): number | undefined {
  if (phase === undefined) return undefined;
  const isByProvider = phase === 'infrastructure' && termination.by === 'actuator';
  if (by === 'controller') {
    if (reason === 'Paused') return undefined;
    return phase === 'drain' || phase === 'volume-detach' ? 20 : isByProvider ? 30 : undefined;
  }
  const isHeld = phase === 'pre-drain' || phase === 'pre-terminate' || reason === 'Paused';
  if (isHeld || isByProvider) return 60;
  return phase === 'node' ? 30 : 20;
}
