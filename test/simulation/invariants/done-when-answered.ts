import type { Invariant } from './invariant.ts';
import { watchStore } from './sight/on-record.ts';
import { witnessOf } from './sight/witness.ts';

/** A sweep waits no longer than this for a slow API or provider. Its answer carries the commands of deletions. */
const longestMilliseconds = 10_000;

/**
 * Between requests an instance may be frozen or gone. So no effect of a request, and no record of one, may be put off
 * until after its answer. A call that the table does not answer in time may still take effect. This rule skips an
 * instance that stood still: on waking it hears everything at once.
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
