import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { exclusions } from '../scenario/beside.ts';
import type { MachinePlan } from '../scenario/model.ts';
import { podsThatMustGo } from './drain-leaves-nothing.ts';
import type { Invariant } from './invariant.ts';
import { writtenStand } from './sight/checkpoint.ts';
import { stillLeft, wasSoOfPods } from './sight/drain-court.ts';
import { addedIn } from './sight/json-patch.ts';
import { type Case, judging } from './sight/judging.ts';
import { limitedSteps, limitOf, limitsOfSteps } from './sight/limits.ts';
import { machineIn } from './sight/machine.ts';
import { type Court, podsOn, verdictOn } from './sight/pods.ts';
import { machineRead, type Witness, witnessOf } from './sight/witness.ts';

type Limited = (typeof limitedSteps)[number];

/** What Cluster API's own controller is told not to do, it does not look at again: that takes a reason. */
export const exclusionsHaveCauses: Invariant = {
  name: 'we exclude a Machine only where the time is over, or where completed Pods alone are left that would be waited for',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(
      witness,
      ['hand over'],
      ({ plan, machine, actor, exchange }) => {
        if (plan === undefined || machine === undefined) return undefined;
        const of = { actor, plan, machine };
        const stand = writtenStand(exchange, machine);
        const passed = typeof stand === 'object' ? stand.passed : new Map<string, string>();
        const wrong = limitedSteps.find(
          (step) =>
            addedIn(exchange.body, exclusions[step]) !== undefined &&
            !(passed.get(step) === 'timed-out' && isLimited(step, of, witness)) &&
            !(step === 'drain' && areOnlyCompletedLeft(of, witness)),
        );
        return wrong && `${wrong} is excluded, and nothing makes it so`;
      },
      violated,
    );
  },
};

const isLimited = (step: Limited, { actor, plan, machine }: Case, witness: Witness): boolean =>
  witness.wasSoLately(
    actor,
    [machineRead(plan)],
    (view) => limitOf(machineIn(view, plan) ?? machine, limitsOfSteps[step]) > 0,
  );

/** Nothing that must go is on the Node, by any moment that the instance has seen; and one that is waited for is. */
const areOnlyCompletedLeft = (of: Case, witness: Witness): boolean =>
  wasSoOfPods(witness, of, (court) => awaitedOn(court, of.plan).length > 0) &&
  stillLeft(witness, of, (court) => podsThatMustGo(court, of.plan)).length === 0;

/** Pods that are to complete on the Node, also those that have. */
export function awaitedOn(court: Court, { node = '' }: MachinePlan): KubeObject[] {
  const pods = court.node === undefined ? [] : podsOn(court.view, court.host, node);
  return pods.filter((pod) => verdictOn(pod, court) === 'waited for');
}
