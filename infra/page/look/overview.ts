import { textAt } from '../../../shared/dialects/fields.ts';
import { unaskedWarnings } from '../../../shared/explain/hooks/unasked.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { DeletingView, GoneView, LivingView, OverviewView, UnaskedView } from '../views.ts';
import { deletingView } from './deleting.ts';
import type { Gone, MachineWatch, Seen } from './machine-watch.ts';
import { nameOf } from './names.ts';
import type { Sight } from './sight.ts';
import { tookSeconds } from './went.ts';

const isDeleting = ({ machine }: Seen): boolean => machine.metadata.deletionTimestamp !== undefined;

/** All Machines as they were seen last, and their DeletionHooks. It asks for nothing. */
export function overviewOf(
  watch: Pick<MachineWatch, 'seen' | 'gone' | 'unread'>,
  { subject, notes, hooks, machineApis }: Pick<Sight, 'subject' | 'notes' | 'hooks' | 'machineApis'>,
  now: Instant,
): OverviewView {
  const seen = watch.seen();
  return {
    kind: 'overview',
    now,
    subject,
    deleting: worstFirst(seen.flatMap((each) => deletingView(each, now, hooks.known) ?? [])),
    living: seen.filter((each) => !isDeleting(each)).map(livingView),
    gone: watch.gone().map(goneView),
    unasked: unaskedViews(seen, { hooks, machineApis }, now),
    notes,
    unread: [...watch.unread(), ...hooks.unread],
  };
}

/** By namespace: who sees its Machines may see them. As in `status`, living Machines do not count. */
function unaskedViews(
  seen: readonly Seen[],
  { hooks, machineApis }: Pick<Sight, 'hooks' | 'machineApis'>,
  now: Instant,
): UnaskedView[] {
  const machines = seen.filter(isDeleting).map(({ machine }) => machine);
  const dialects = machineApis.map(({ dialect }) => dialect);
  const byNamespace = Map.groupBy(hooks.known, ({ metadata }) => metadata.namespace ?? '');
  return [...byNamespace].flatMap(([namespace, deletionHooks]) =>
    unaskedWarnings({ machines, deletionHooks, dialects, now }).map(({ object, message }) => ({
      namespace,
      text: `${object}: ${message}`,
    })),
  );
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
