import { textAt } from '../../../shared/dialects/fields.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { DeletingView, GoneView, LivingView, OverviewView } from '../views.ts';
import { deletingView } from './deleting.ts';
import type { Gone, MachineWatch, Seen } from './machine-watch.ts';
import { nameOf } from './names.ts';
import type { Sight } from './sight.ts';
import { tookSeconds } from './went.ts';

const isDeleting = ({ machine }: Seen): boolean => machine.metadata.deletionTimestamp !== undefined;

/** All Machines as they were seen last. It asks for nothing. */
export function overviewOf(
  watch: Pick<MachineWatch, 'seen' | 'gone' | 'unread'>,
  { subject, notes }: Pick<Sight, 'subject' | 'notes'>,
  now: Instant,
): OverviewView {
  const seen = watch.seen();
  return {
    kind: 'overview',
    now,
    subject,
    deleting: worstFirst(seen.flatMap((each) => deletingView(each, now) ?? [])),
    living: seen.filter((each) => !isDeleting(each)).map(livingView),
    gone: watch.gone().map(goneView),
    notes,
    unread: watch.unread(),
  };
}

/** Held first; of those, the one that waits longest. */
const worstFirst = (rows: readonly DeletingView[]): DeletingView[] =>
  rows.toSorted((one, other) => one.standing.rank - other.standing.rank || sinceOf(one) - sinceOf(other));

const sinceOf = ({ standing: { since, deletedAt } }: DeletingView): Instant => Date.parse(since ?? deletedAt);

function livingView(seen: Seen): LivingView {
  const phase = textAt(seen.machine, 'status', 'phase');
  const node = textAt(seen.machine, 'status', 'nodeRef', 'name');
  return { ...nameOf(seen), ...(phase !== undefined && { phase }), ...(node !== undefined && { node }) };
}

function goneView(gone: Gone): GoneView {
  const { went, machine } = gone;
  const seconds = tookSeconds(went, machine.metadata.deletionTimestamp);
  return { ...nameOf(gone), went, ...(seconds !== undefined && { seconds }) };
}
