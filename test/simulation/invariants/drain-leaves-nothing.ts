import type { MachinePlan } from '../scenario/model.ts';
import { nameOf } from '../story/news.ts';
import type { Invariant } from './invariant.ts';
import { stillLeft } from './sight/drain-court.ts';
import { judgingCheckpoints } from './sight/judging.ts';
import { saysDrained } from './sight/machine.ts';
import { type Court, mustGo, podsOn } from './sight/pods.ts';
import { witnessOf } from './sight/witness.ts';

export const drainLeavesNothing: Invariant = {
  name: 'a drain is passed as done only when no Pod that must go is on the Node',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judgingCheckpoints(
      witness,
      ({ plan, machine, newlyPassed }, { actor }) => {
        if (newlyPassed.get('drain') !== 'done' || saysDrained(machine)) return undefined;
        const left = stillLeft(witness, { actor, plan, machine }, (court) => podsThatMustGo(court, plan));
        return left.length === 0 ? undefined : `these Pods are still on the Node: ${left.join(', ')}`;
      },
      violated,
    );
  },
};

/** `namespace/name` of each. */
export function podsThatMustGo(court: Court, { node = '' }: MachinePlan): string[] {
  const pods = court.node === undefined ? [] : podsOn(court.view, court.host, node);
  return pods.filter((pod) => mustGo(pod, court)).map(nameOf);
}
