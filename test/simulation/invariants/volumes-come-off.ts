import type { Invariant } from './invariant.ts';
import { stillLeft } from './sight/drain-court.ts';
import { judgingCheckpoints } from './sight/judging.ts';
import { volumesThatHold } from './sight/volumes.ts';
import { witnessOf } from './sight/witness.ts';

export const volumesComeOff: Invariant = {
  name: 'volumes are passed as done only when all that count are off the Node',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judgingCheckpoints(
      witness,
      ({ plan, machine, after, newlyPassed }, { actor }) => {
        // A step back notes the phase that it leaves as if it were done.
        if (newlyPassed.get('volume-detach') !== 'done' || after.phase === 'drain') return undefined;
        const left = stillLeft(witness, { actor, plan, machine }, (court) =>
          volumesThatHold(court, world.config),
        );
        return left.length === 0 ? undefined : `these volumes are still attached: ${left.join(', ')}`;
      },
      violated,
    );
  },
};
