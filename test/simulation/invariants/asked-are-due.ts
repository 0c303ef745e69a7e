import { asksForDue, titleOfOurs } from './due-is-looked-at.ts';
import type { Invariant } from './invariant.ts';
import { looksIn } from './sight/on-record.ts';
import { watchTrouble } from './sight/trouble.ts';
import { witnessOf } from './sight/witness.ts';

/** A command may be lost on its way. Then the next tick must ask for it again, long before the sweep of all. */
export const askedAreDue: Invariant = {
  name: 'a Machine that a tick has asked for is due again, whatever becomes of that',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const trouble = watchTrouble(world);
    return {
      hit: trouble.hit,
      calm: trouble.calm,
      replied({ attributes: { type, partitionkey: uid = '' } }, event) {
        if (type !== 'dev.phaseout.deletion.advance.v1' || !asksForDue(event) || !trouble.isOver()) return;
        const title = titleOfOurs(witness, uid);
        if (title === undefined || looksIn(world).some(({ machineUid }) => machineUid === uid)) return;
        violated(`${title} is asked for, and nothing is due`);
      },
    };
  },
};
