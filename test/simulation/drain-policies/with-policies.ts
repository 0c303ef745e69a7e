import { policyDefinitions } from '../../stories/stage/hook-definitions.ts';
import type { Random } from '../random.ts';
import type { Beside } from '../scenario/draw/beside.ts';
import type { Scenario } from '../scenario/model.ts';
import { drawPlan, scenarioOf } from '../scenario/plan.ts';

export const drainPolicies = 'drainpolicies.phaseout.dev';

/** The same world with a DrainPolicy in each namespace of Machines. In some worlds there are two of them. */
export function planWithPolicies(random: Random, beside?: Beside): Scenario {
  const scenario = scenarioOf(drawPlan(random, beside));
  const chance = random.fork('drain policies');
  const maxUnavailable = chance.oneOf([1, 1, 2]);
  const names = chance.chance(0.4) ? ['all', 'workers'] : ['workers'];
  const namespaces = [...new Set(scenario.machines.map(({ namespace }) => namespace))].toSorted();
  return {
    ...scenario,
    build(world) {
      for (const definition of policyDefinitions)
        world.management.create('customresourcedefinitions.apiextensions.k8s.io', definition);
      scenario.build(world);
      for (const namespace of namespaces)
        for (const name of names)
          world.management.create(drainPolicies, {
            apiVersion: 'phaseout.dev/v1alpha1',
            kind: 'DrainPolicy',
            metadata: { namespace, name },
            spec: { maxUnavailable, controlPlanes: true, machinePools: true },
          });
    },
  };
}
