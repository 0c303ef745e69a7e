import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { exclusions } from '../scenario/beside.ts';
import type { MachinePlan } from '../scenario/model.ts';
import { podsThatMustGo } from './drain-leaves-nothing.ts';
import type { Invariant } from './invariant.ts';
import { standOf, writtenStand } from './sight/checkpoint.ts';
import { longLeft, stillLeft, wasSoOfPods } from './sight/drain-court.ts';
import { isNodeOfAnother } from './sight/gate.ts';
import { addedIn } from './sight/json-patch.ts';
import { type Case, judging } from './sight/judging.ts';
import { limitedSteps, limitOf, limitsOfSteps } from './sight/limits.ts';
import { machineIn } from './sight/machine.ts';
import { isSoInAny, type View } from './sight/past.ts';
import { type Court, podsOn, verdictOn } from './sight/pods.ts';
import type { Effect } from './sight/seen-effect.ts';
import { volumesThatHold } from './sight/volumes.ts';
import { machineRead, type Witness, witnessOf } from './sight/witness.ts';

type Limited = (typeof limitedSteps)[number];
/** `passed`: how phases were passed, by what is written with the exclusion. */
type HandedOver = Case & Pick<Effect, 'exchange'> & { passed: ReadonlyMap<string, string> };

/** An exclusion rests on a look that is five seconds old at most as the request leaves. */
const believedMilliseconds = 6_000;
const marginMilliseconds = 30_000;

/** It may have been on its way for long. */
const lookedMilliseconds = ({ exchange }: HandedOver, { reads, world }: Witness): number =>
  world.now() - reads.leftAt(exchange) + believedMilliseconds;

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
        const stand = writtenStand(exchange, machine);
        const passed = typeof stand === 'object' ? stand.passed : new Map<string, string>();
        const of = { actor, plan, machine, exchange, passed };
        const wrong = limitedSteps.find(
          (step) => addedIn(exchange.body, exclusions[step]) !== undefined && !hasCause(step, of, witness),
        );
        return wrong && `${wrong} is excluded, and nothing makes it so`;
      },
      violated,
    );
  },
};

const hasCause = (step: Limited, of: HandedOver, witness: Witness): boolean =>
  isOver(step, of, witness) || (step === 'drain' && areOnlyCompletedLeft(of, witness));

const isOver = (step: Limited, of: HandedOver, witness: Witness): boolean => {
  const { actor, plan, machine } = of;
  const wasLimited = (view: View): boolean =>
    limitOf(machineIn(view, plan) ?? machine, limitsOfSteps[step]) > 0;
  return (
    of.passed.get(step) === 'timed-out' &&
    witness.wasSoLately(actor, [machineRead(plan)], wasLimited) &&
    !(hasTimeForLong(step, of, witness) && leftForLong(step, of, witness).length > 0)
  );
};

/** The limit has been a longer one than the deletion is old, and who looks again sees it. */
function hasTimeForLong(step: Limited, of: HandedOver, witness: Witness): boolean {
  const { past, reads, world } = witness;
  const { plan, machine } = of;
  const { reached, since = world.now() } = standOf(machine) ?? {};
  const from = world.now() - lookedMilliseconds(of, witness);
  if (reads.haveClocksJumped() || (reached ?? since) > from) return false;
  const age = world.now() - Date.parse(machine.metadata.deletionTimestamp ?? '');
  const isShort = (view: View): boolean =>
    limitOf(machineIn(view, plan) ?? machine, limitsOfSteps[step]) * 1_000 < age + marginMilliseconds;
  return !isSoInAny(past.since(from), isShort);
}

/** What is on another server's Node is nothing of this Machine. */
const leftForLong = (step: Limited, of: HandedOver, witness: Witness): string[] =>
  longLeft(witness, of, lookedMilliseconds(of, witness), (court) => {
    if (isNodeOfAnother(court.view, machineIn(court.view, of.plan) ?? of.machine, of.plan)) return [];
    return step === 'drain' ? podsThatMustGo(court, of.plan) : volumesThatHold(court, witness.world.config);
  });

/**
 * No Pod that must go is on the Node, at any moment that the instance saw. At least one Pod that must complete is
 * there.
 */
const areOnlyCompletedLeft = (of: HandedOver, witness: Witness): boolean =>
  wasSoOfPods(witness, of, (court) => awaitedOn(court, of.plan).length > 0) &&
  stillLeft(witness, of, (court) => podsThatMustGo(court, of.plan)).length === 0 &&
  leftForLong('drain', of, witness).length === 0;

/** Pods that are to complete on the Node, also those that have. */
export function awaitedOn(court: Court, { node = '' }: MachinePlan): KubeObject[] {
  const pods = court.node === undefined ? [] : podsOn(court.view, court.host, node);
  return pods.filter((pod) => verdictOn(pod, court) === 'waited for');
}
