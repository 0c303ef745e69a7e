import { ownGroup } from '../../../shared/machine/own-kind.ts';
import type { DeletingView, MachineName, OverviewView, UnaskedView } from '../views.ts';
import { type MachinesOf, machinesSeenBy } from './machines-seen-by.ts';
import { onNodes } from './on-nodes.ts';
import type { May } from './rights.ts';

/** The part of the overview that somebody may see. It does not even tell how many other Machines there are. */
export async function overviewSeenBy(
  view: OverviewView,
  machinesOf: MachinesOf,
  may: May,
): Promise<OverviewView> {
  const seen = <T extends MachineName>(rows: readonly T[]) => machinesSeenBy(rows, machinesOf, may);
  const deleting = await seen(view.deleting);
  const hidden = new Set(
    view.deleting.filter((row) => !deleting.includes(row)).map(({ namespace }) => namespace),
  );
  return {
    ...view,
    deleting: await Promise.all(deleting.map((row) => rowSeenBy(row, may))),
    living: await seen(view.living),
    gone: await seen(view.gone),
    unasked: await unaskedSeenBy(
      view.unasked.filter(({ namespace }) => !hidden.has(namespace)),
      may,
    ),
  };
}

/** They name Machines: those of all APIs in that namespace are seen. */
async function unaskedSeenBy(unasked: readonly UnaskedView[], may: May): Promise<UnaskedView[]> {
  const answers = await Promise.all(
    unasked.map(({ namespace }) =>
      may({ verb: 'list', group: ownGroup, resource: 'deletionhooks', namespace }),
    ),
  );
  return unasked.filter((_each, index) => answers[index]);
}

/** What waits for the Node may name anything that is on it. */
async function rowSeenBy(row: DeletingView, may: May): Promise<DeletingView> {
  return (await onNodes(row.nodesIn, may).all()) ? row : withoutNames(row);
}

/** Where a deletion stands, without text that may name Pods or volumes. */
export const withoutNames = (deleting: DeletingView): DeletingView => ({
  ...deleting,
  standing: {
    ...deleting.standing,
    waitsFor: { reason: deleting.standing.waitsFor.reason, message: '' },
    acts: { who: deleting.standing.acts.who, name: deleting.standing.acts.who },
  },
});
