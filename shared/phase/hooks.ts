import { type Asked, isPending } from '../hooks/asked.ts';
import type { Selected } from '../hooks/deletion-hook.ts';
import { type Standing, standingOf } from '../hooks/times.ts';
import { askedLater, presentGroup, type Turn, takeTurn } from '../hooks/turn.ts';
import { isHeldUp, standingText, waitingText } from '../hooks/words.ts';
import type { HookPlace } from '../machine/hook-call.ts';
import type { HookRecord } from '../machine/hook-record.ts';
import type { PhaseReason } from '../machine/phase.ts';
import { type MachineEvent, type Report, warning, withEvents } from '../machine/report.ts';
import type { Selectable } from '../machine/selection.ts';
import { beginningAt } from '../machine/timestamps.ts';
import type { Instant } from '../time/clock.ts';
import type { Decision } from './decision.ts';
import type { Subject } from './definition.ts';

/** While something is deleted, DeletionHooks are listed once in this time, for all Machines of a namespace. */
export const hooksAgeMilliseconds = 30_000;

/** The Machine as DeletionHooks select it. */
export const selectable = ({
  machine,
  surroundings,
}: Pick<Subject, 'machine' | 'surroundings'>): Selectable => ({
  labels: machine.labels,
  clusterLabels: surroundings.cluster?.metadata.labels ?? {},
  isControlPlane: machine.isControlPlane,
});

/** What is seen of the DeletionHooks at a place. */
export interface HooksSeen {
  place: HookPlace;
  asked: readonly Asked[] | undefined;
  selected: Selected;
  records: readonly HookRecord[];
  undelivered?: readonly string[];
  hasKey: boolean;
  /** Nothing follows from this look. */
  isForeseen: boolean;
}

const reasonOf: Record<HookPlace, PhaseReason> = {
  PreDrain: 'WaitingForPreDrainHook',
  PreTerminate: 'WaitingForPreTerminateHook',
};

/** A change of a DeletionHook is no event: the next look finds it. */
const heldSeconds = 60;

/** What follows from the DeletionHooks of a place. Undefined where none holds the Machine there. */
export function decideHooks(
  subject: Subject,
  seen: HooksSeen | undefined,
  now: Instant,
): Decision | undefined {
  if (seen === undefined) return undefined;
  const turn = takeTurn({
    ...seen,
    bypass: seen.place === 'PreDrain' ? bypassOf(subject) : undefined,
    clusterGoes: clusterGoes(subject),
    now,
    beginning: beginningAt(subject.machine, now),
  });
  if (turn.kind === 'none' || turn.kind === 'pass') return undefined;
  const told = { namespace: subject.machine.ref.namespace, reason: reasonOf[seen.place] };
  if (turn.kind === 'held') return held(turn, told);
  if (seen.isForeseen) return foreseen(turn, seen, told, now);
  if (turn.kind === 'save') return save(turn, told, now);
  const report = reportOf(turn.standing, turn.later, told);
  if (turn.kind === 'call')
    return { kind: 'act', effects: [{ kind: 'call-hooks', calls: turn.calls }], report };
  return wait(turn.standing, report, turn.look - now);
}

/** Whether the Cluster of the Machine is being deleted. */
export const clusterGoes = ({ surroundings }: Pick<Subject, 'surroundings'>): boolean =>
  surroundings.cluster?.metadata.deletionTimestamp !== undefined;

/** Why the Machine API itself goes past all pre-drain hooks of the Machine. */
export function bypassOf({
  machine,
  dialect,
  nodeDeletion,
}: Pick<Subject, 'machine' | 'dialect' | 'nodeDeletion'>): string | undefined {
  if (!nodeDeletion.allowed) return nodeDeletion.why;
  return dialect.passesHooks(machine, 'pre-drain') ? 'its Machine API passes its pre-drain hooks' : undefined;
}

/** Where it is told, and with which reason. */
interface Told {
  namespace: string;
  reason: PhaseReason;
}

function held({ why, hooks }: Turn & { kind: 'held' }, { namespace, reason }: Told): Decision {
  const message = hooks.length === 0 ? why : `Waiting for DeletionHook ${hooks.join(', ')}: ${why}`;
  const named = hooks.map((name) => ({ name: `${namespace}/${name}` }));
  const report: Report = { reason, message, hooks: named, isHeldUp: true };
  return { kind: 'wait', until: [], report, requeueAfterSeconds: heldSeconds };
}

/** The status says already what is waited for then, so that it does not alternate. */
function save({ asked, ended }: Turn & { kind: 'save' }, told: Told, now: Instant): Decision {
  const standing = presentGroup(asked).map((each) => standingOf(each, { now }));
  const ends = ended.map(({ name, as, why }) => `DeletionHook ${name}: ${as}: ${why}`);
  const report: Report =
    standing.length > 0
      ? reportOf(standing, askedLater(asked), told)
      : { reason: told.reason, message: ends.join('; ') };
  return { kind: 'act', effects: [{ kind: 'save-hooks', asked, ended }], report };
}

/** A look that only foresees asks nothing. It goes by what the Machine says, and by no memory. */
function foreseen(
  turn: Exclude<Turn, { kind: 'none' | 'pass' | 'held' }>,
  { asked = turn.kind === 'save' ? turn.asked : [] }: HooksSeen,
  told: Told,
  now: Instant,
): Decision | undefined {
  const group =
    turn.kind === 'save' && turn.asked.every((each) => !isPending(each)) ? [] : presentGroup(asked);
  if (group.length === 0) return undefined;
  const standing = group.map((each) => standingOf(each, { now }));
  return wait(standing, reportOf(standing, [], told), heldSeconds * 1_000);
}

function reportOf(
  standing: readonly Standing[],
  later: readonly string[],
  { namespace, reason }: Told,
): Report {
  const hooks = standing.map(({ asked: { name, contact } }) => ({
    name: `${namespace}/${name}`,
    ...(contact !== undefined && { contact }),
  }));
  const message = waitingText(standing, later);
  return { reason, message, hooks, ...(standing.some(isHeldUp) && { isHeldUp: true }) };
}

function wait(standing: readonly Standing[], report: Report, milliseconds: number): Decision {
  const requeueAfterSeconds = Math.max(1, Math.ceil(milliseconds / 1_000));
  return { kind: 'wait', until: [], report, requeueAfterSeconds, ...withEvents(standing.flatMap(eventsOf)) };
}

function eventsOf(standing: Standing): MachineEvent[] {
  const text = standingText(standing);
  return [
    ...(standing.state === 'Failed' ? [warning('HookFailed', text)] : []),
    ...(standing.silentSince === undefined ? [] : [warning('HookSilent', text)]),
    ...(standing.overSince === undefined ? [] : [warning('HookOver', text)]),
  ];
}
