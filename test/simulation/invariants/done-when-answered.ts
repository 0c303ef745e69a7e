import type { Invariant } from './invariant.ts';
import { watchStore } from './sight/on-record.ts';
import { witnessOf } from './sight/witness.ts';

/** A sweep does not wait longer for what a slow API or provider is asked: the commands of deletions are in its answer. */
const longestMilliseconds = 10_000;

/**
 * Between requests an instance may be frozen, or be gone: what a request leads to, records of what was done included, must
 * not be put off until after its answer. What the table does not answer in time is given up, and may be done all the same;
 * of an instance that stood still nobody can tell what it has heard, for all comes at once when it wakes.
 */
export const doneWhenAnswered: Invariant = {
  name: 'what a request leads to is done once it is answered',
  watch(world, scenario, violated) {
    const { reads } = witnessOf(world, scenario);
    const store = watchStore();
    return {
      ...store,
      answered(instance, milliseconds, left) {
        if (milliseconds >= longestMilliseconds || reads.stillnessOf(instance) > 0) return;
        const [first] = left.filter((what) => !what.startsWith('store ') || !store.isTroubled());
        if (first !== undefined) violated(`${instance} has answered, and has not heard yet of ${first}`);
      },
    };
  },
};
