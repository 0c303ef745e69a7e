import { keyOwner } from '../../../shared/explain/key-owner.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import type { HistoryEntry } from '../../../shared/store/port.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { HistoryLine, MachineName, MachineView } from '../views.ts';
import { checkpointIn, deletingView } from './deleting.ts';
import type { Gone, MachineWatch, Seen } from './machine-watch.ts';
import { isNamed, nameOf, nodesIn } from './names.ts';
import { type Records, recordsOf } from './records.ts';
import { type DeletionSight, explained } from './sight.ts';
import { type Course, timelineOf } from './timeline.ts';
import { wentBy } from './went.ts';

type Watched = Pick<MachineWatch, 'seen' | 'gone' | 'unread'>;

/** One Machine as it is now. What cannot be read is said in its place. */
export async function lookAtMachine(
  named: MachineName,
  watch: Watched,
  sight: DeletionSight,
): Promise<MachineView> {
  const isMeant = (each: Seen): boolean => isNamed(nameOf(each), named);
  const now = sight.clock.now();
  const seen = watch.seen().find(isMeant);
  if (seen !== undefined) return viewOfSeen(seen, sight, now);
  const gone = watch.gone().find(isMeant);
  if (gone !== undefined) return viewOfGone(gone, sight, now);
  return { ...viewOf(named, sight, now), state: 'unknown', history: [], unread: watch.unread() };
}

/** What every view of a Machine says. */
const viewOf = (named: MachineName, { subject, notes }: DeletionSight, now: Instant) =>
  ({ kind: 'machine', ...named, now, subject, notes }) as const;

async function viewOfSeen(seen: Seen, sight: DeletionSight, now: Instant): Promise<MachineView> {
  const shown = deletingView(seen, now, sight.hooks.known);
  const records = await recordsOf(seen, sight);
  const tried = records.unread.length > 0 ? undefined : records.history;
  const { unread, ...explanation } = await explained(sight.explain, seen.machine, tried);
  // What was looked at beside the Machine says more than the Machine alone.
  const standing = explanation.explanation?.standing;
  const deleting = shown && { ...shown, ...(standing !== undefined && { standing }) };
  return {
    ...viewOf(nameOf(seen), sight, now),
    ...nodesIn(seen),
    state: deleting === undefined ? 'living' : 'deleting',
    ...(deleting !== undefined && { deleting }),
    ...explanation,
    hooksSet: hooksSet(seen, explanation.plan),
    ...courseOf(seen, records, { now, standing: deleting?.standing }),
    unread: [...unread, ...records.unread],
  };
}

async function viewOfGone(gone: Gone, sight: DeletionSight, now: Instant): Promise<MachineView> {
  const records = await recordsOf(gone, sight);
  const went = wentBy(gone.went, records.history);
  return {
    ...viewOf(nameOf(gone), sight, now),
    ...nodesIn(gone),
    state: 'gone',
    went,
    ...courseOf(gone, records, { now, went }),
    unread: records.unread,
  };
}

function courseOf(
  { machine }: Seen,
  records: Records,
  known: Pick<Course, 'now' | 'went' | 'standing'>,
): Pick<MachineView, 'timeline' | 'history'> {
  const { deletionTimestamp } = machine.metadata;
  const checkpoint = checkpointIn(machine);
  const timeline = timelineOf({ ...records, ...known, deletionTimestamp, checkpoint });
  return { ...(timeline && { timeline }), history: records.history.map(lineOf).toReversed() };
}

function lineOf(entry: HistoryEntry): HistoryLine {
  const { id: _, node: __, ...line } = entry;
  return line;
}

/** When each hook was on the Machine at the latest (RFC 3339), by its name, where its manager is known. */
function hooksSet({ machine }: Seen, plan: DeletionPlan | undefined): Record<string, string> {
  const known = (plan?.hooks ?? []).flatMap(({ name }) => {
    const set = keyOwner(machine, name);
    return set === undefined ? [] : [[name, set.by] as const];
  });
  return Object.fromEntries(known);
}
