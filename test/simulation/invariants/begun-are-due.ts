import type { Invariant } from './invariant.ts';
import { judgingCheckpoints } from './sight/judging.ts';
import { looksIn, watchStore } from './sight/on-record.ts';
import { witnessOf } from './sight/witness.ts';

/** Whoever dies right after its first write would otherwise be missed by nobody but the list of all, minutes later. */
export const begunAreDue: Invariant = {
  name: 'a deletion is begun only with a look at it on record',
  watch(world, scenario, violated) {
    const store = watchStore();
    const judge = judgingCheckpoints(
      witnessOf(world, scenario),
      ({ before, machine }) => {
        if (before !== undefined || store.isTroubled()) return undefined;
        const { uid } = machine.metadata;
        return looksIn(world).some(({ machineUid }) => machineUid === uid) ? undefined : 'nothing is due';
      },
      violated,
    );
    return { ...store, ...judge };
  },
};
