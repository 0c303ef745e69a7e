import { factOf } from './facts.ts';
import type { Invariant } from './invariant.ts';
import { watchStoreTrouble } from './sight/store-trouble.ts';

/** Whoever asks later how a deletion went reads it there. It is kept under the number that the checkpoint had before. */
export const historyIsKept: Invariant = {
  name: 'a phase that is told to be passed is in the history',
  watch(world, _scenario, violated) {
    const store = watchStoreTrouble();
    return {
      hit: store.hit,
      logged: store.logged,
      event(event) {
        const fact = store.hasBeen() ? undefined : factOf(event);
        if (fact?.kind !== 'deletion.advanced') return;
        const { id, uid, data } = fact;
        const entry = `history#${String(Number(data['seq']) - 1).padStart(6, '0')}-`;
        const isKept = world.table
          .items()
          .some(
            ({ pk, sk, what }) =>
              pk?.S === `machine#${uid}` && sk?.S?.startsWith(entry) === true && what?.S === 'advanced',
          );
        if (!isKept) violated(`${id} is told, and no history has it`);
      },
    };
  },
};
