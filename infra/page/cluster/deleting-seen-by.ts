import type { DeletingView } from '../views.ts';

/** Where a deletion stands, without text that may name Pods or volumes. */
export const withoutNames = (deleting: DeletingView): DeletingView => ({
  ...deleting,
  standing: {
    ...deleting.standing,
    waitsFor: { reason: deleting.standing.waitsFor.reason, message: '' },
    acts: { who: deleting.standing.acts.who, name: deleting.standing.acts.who },
  },
});
