import type { Invariant } from './invariant.ts';
import { stillLeft } from './sight/drain-court.ts';
import { judging } from './sight/effect.ts';
import { transitionOf } from './sight/transition.ts';
import { volumesThatHold } from './sight/volumes.ts';
import { witnessOf } from './sight/witness.ts';

export const volumesComeOff: Invariant = {
  name: 'volumes are passed as done only when all that count are off the Node',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(
      witness,
      ['write Machine'],
      (effect) => {
        const transition = transitionOf(effect);
        if (transition?.newlyPassed.get('volume-detach') !== 'done') return undefined;
        // A step back notes the phase that it leaves as if it were done.
        if (transition.after.phase === 'drain') return undefined;
        const { plan, machine } = transition;
        const left = stillLeft(witness, { actor: effect.actor, plan, machine }, volumesThatHold);
        return left.length === 0 ? undefined : `these volumes are still attached: ${left.join(', ')}`;
      },
      violated,
    );
  },
};
