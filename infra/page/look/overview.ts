import { textAt } from '../../../shared/dialects/fields.ts';
import { unaskedWarnings } from '../../../shared/explain/hooks/unasked.ts';
import { compareWorst } from '../../../shared/explain/status-of.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { GoneView, LivingView, OverviewView, UnaskedView } from '../views.ts';
import { deletingView } from './deleting.ts';
import type { Gone, MachineWatch, Seen } from './machine-watch.ts';
import { clusterOf, nameOf } from './names.ts';
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
    deleting: seen
      .flatMap((each) => deletingView(each, now, hooks.known) ?? [])
      .toSorted((one, other) => compareWorst(one.standing, other.standing)),
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

function livingView(seen: Seen): LivingView {
  const phase = textAt(seen.machine, 'status', 'phase');
  const node = textAt(seen.machine, 'status', 'nodeRef', 'name');
  return {
    ...nameOf(seen),
    ...clusterOf(seen),
    ...(phase !== undefined && { phase }),
    ...(node !== undefined && { node }),
  };
}

function goneView(gone: Gone): GoneView {
  const { went, machine } = gone;
  const seconds = tookSeconds(went, machine.metadata.deletionTimestamp);
  return { ...nameOf(gone), ...clusterOf(gone), went, ...(seconds !== undefined && { seconds }) };
}
