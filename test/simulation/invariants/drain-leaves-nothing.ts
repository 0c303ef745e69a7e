import type { Invariant } from './invariant.ts';
import { stillLeft } from './sight/drain-court.ts';
import { judging } from './sight/effect.ts';
import { saysDrained } from './sight/machine.ts';
import { mustGo, podsOn } from './sight/pods.ts';
import { transitionOf } from './sight/transition.ts';
import { witnessOf } from './sight/witness.ts';

export const drainLeavesNothing: Invariant = {
  name: 'a drain is passed as done only when no Pod that must go is on the Node',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(
      witness,
      ['write Machine'],
      (effect) => {
        const transition = transitionOf(effect);
        if (transition?.newlyPassed.get('drain') !== 'done') return undefined;
        const { plan, machine } = transition;
        if (saysDrained(machine)) return undefined;
        const left = stillLeft(witness, { actor: effect.actor, plan, machine }, (court) => {
          const pods = court.node === undefined ? [] : podsOn(court.view, court.host, plan.node ?? '');
          return pods.filter((pod) => mustGo(pod, court)).map(({ metadata }) => metadata.name);
        });
        return left.length === 0 ? undefined : `these Pods are still on the Node: ${left.join(', ')}`;
      },
      violated,
    );
  },
};
