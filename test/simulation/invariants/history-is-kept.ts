import type { Invariant } from './invariant.ts';
import { recordsOf, whileStoreIsWell } from './sight/on-record.ts';

/** Whoever asks later how a deletion went reads it there. It is kept under the number that the checkpoint had before. */
export const historyIsKept: Invariant = {
  name: 'a phase that is told to be passed is in the history',
  watch: (world, _scenario, violated) =>
    whileStoreIsWell(({ id, kind, uid, data }) => {
      if (kind !== 'deletion.advanced') return;
      const entry = `history#${String(Number(data['seq']) - 1).padStart(6, '0')}-`;
      const isKept = recordsOf(world, uid).some(
        ({ sk, what }) => sk?.S?.startsWith(entry) === true && what?.S === 'advanced',
      );
      if (!isKept) violated(`${id} is told, and no history has it`);
    }),
};
