import type { Invariant } from './invariant.ts';
import { judging } from './sight/judging.ts';
import { titleOf } from './sight/machine.ts';
import { machineRead, witnessOf } from './sight/witness.ts';

const milliseconds = 10_000;

export const knowledgeIsFresh: Invariant = {
  name: 'whoever acts has read the Machine in this step, or not long ago',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(
      witness,
      // The finalizer goes by a patch that names the version of the Machine: the server tests how fresh it is.
      ['evict', 'cordon', 'delete Node', 'delete infrastructure', 'delete bootstrap'],
      ({ plan, actor }) => {
        if (plan === undefined || witness.reads.isFresh(actor, machineRead(plan), milliseconds))
          return undefined;
        return `${titleOf(plan)} was not read for more than ${milliseconds / 1_000} s`;
      },
      violated,
    );
  },
};
