import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../infra/local/kubernetes/server/json.ts';
import { isClusterApi, isOpenShift } from '../../stories/stage/apis.ts';
import { usualTicks } from '../platform/declared.ts';
import { hasFirstHook, hasOurHook, isBeside, isOurName } from '../scenario/beside.ts';
import type { MachinePlan } from '../scenario/model.ts';
import type { Invariant } from './invariant.ts';
import { whyHeldBack, whyTheirs } from './sight/held-back.ts';
import {
  clusterOf,
  hooksAt,
  isDeleting,
  isDrainExcluded,
  isNodeForbidden,
  keyOf,
  machineIn,
  titleOf,
  whyClusterEnds,
} from './sight/machine.ts';
import type { View } from './sight/past.ts';
import { waitsForFunctions } from './sight/turns.ts';
import { witnessOf } from './sight/witness.ts';

const longestMilliseconds = 180_000;
/** For a look that a sweep of all brings, where that comes seldom. */
const lookMilliseconds = 90_000;

/** Where a Cluster is missing, it is unknown whether it is paused. */
const isUndecided = (present: View, { api }: MachinePlan, machine: KubeObject): boolean =>
  api === 'capi' && clusterOf(present, machine) === undefined;

/** OpenShift's own controllers mind no hook of a Machine that is excluded from drains. */
const isPassedOver = (machine: KubeObject): boolean => isOpenShift(machine) && isDrainExcluded(machine);

/** Without a nodeRef, Cluster API's own controller searches the Node by providerID, and then drains it. */
const isLookedFor = (present: View, machine: KubeObject): boolean =>
  isClusterApi(machine) &&
  whyClusterEnds(present, machine) === undefined &&
  textAt(machine, 'spec', 'providerID') !== '';

/** Nothing wakes the API's own controllers, nor us, where a control plane goes while our hook holds a Machine. */
export const letGoInTime: Invariant = {
  name: 'our hook goes within minutes where no controller would drain any more, once nothing goes wrong any more',
  watch(world, scenario, violated) {
    const { present } = witnessOf(world, scenario).past;
    const { allMinutes = usualTicks.allMinutes } = scenario.world;
    const longest = Math.max(longestMilliseconds, allMinutes * 60_000 + lookMilliseconds);
    /** By Machine: since when it is held for nothing, in the calm. */
    const since = new Map<string, number>();
    let isCalm = false;
    const isHeldForNothing = (plan: MachinePlan): boolean => {
      const machine = isBeside(world, plan) ? machineIn(present, plan) : undefined;
      if (machine === undefined || !isDeleting(machine) || !hasOurHook(machine)) return false;
      const why = whyHeldBack(present, machine) ?? whyTheirs(machine, world.config);
      if (why !== undefined || isUndecided(present, plan, machine)) return false;
      // Our second hook goes after those of others.
      const others = hooksAt(machine, 'pre-terminate').filter((name) => !isOurName(name));
      if (!hasFirstHook(machine) && others.length > 0) return false;
      // A drain that is passed over passes no function before the end of the server.
      if (waitsForFunctions(machine, 'pre-terminate')) return false;
      if (isPassedOver(machine)) return true;
      return isNodeForbidden(present, machine) && !isLookedFor(present, machine);
    };
    return {
      calm() {
        isCalm = true;
      },
      event() {
        for (const plan of isCalm ? scenario.machines : []) {
          const key = keyOf(plan);
          if (!isHeldForNothing(plan)) since.delete(key);
          else if (!since.has(key)) since.set(key, world.now());
          const held = world.now() - (since.get(key) ?? world.now());
          if (held > longest)
            violated(`${titleOf(plan)} is held for ${Math.round(held / 1_000)} s for nothing`);
        }
      },
    };
  },
};
