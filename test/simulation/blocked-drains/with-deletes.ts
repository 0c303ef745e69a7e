import { policyDefinitions } from '../../stories/stage/hook-definitions.ts';
import { drainPolicies } from '../drain-policies/with-policies.ts';
import type { Random } from '../random.ts';
import type { Beside } from '../scenario/draw/beside.ts';
import type { Scenario } from '../scenario/model.ts';
import { drawPlan, scenarioOf } from '../scenario/plan.ts';

const causes = ['BudgetNeverAllows', 'BudgetExhausted', 'MultipleBudgets', 'AdmissionWebhook'];

/** The same world with budgets that never let a Pod go, and DrainPolicies that have Pods deleted. Some are granted nothing. */
export function planWithDeletes(random: Random, beside?: Beside): Scenario {
  const scenario = scenarioOf(drawPlan(random, beside));
  const chance = random.fork('blocked drains');
  const after = chance.oneOf(['5s', '20s']);
  const isGranted = chance.chance(0.9);
  const blocked = causes
    .filter(() => chance.chance(0.95))
    .map((cause) => ({ cause, after, action: 'Delete' }));
  const namespaces = [...new Set(scenario.machines.map(({ namespace }) => namespace))].toSorted();
  const hosts = [...new Set(scenario.machines.map(({ host }) => host))].toSorted();
  return {
    ...scenario,
    world: {
      ...scenario.world,
      config: { ...scenario.world.config, actions: new Set(isGranted ? ['Delete' as const] : []) },
    },
    build(world) {
      for (const definition of policyDefinitions)
        world.management.create('customresourcedefinitions.apiextensions.k8s.io', definition);
      scenario.build(world);
      for (const host of hosts)
        for (const namespace of new Set(
          world
            .cluster(host)
            .list('pods')
            .map(({ metadata }) => metadata.namespace),
        ))
          world.cluster(host).create('poddisruptionbudgets.policy', {
            metadata: { name: 'never', ...(namespace !== undefined && { namespace }) },
            spec: { maxUnavailable: 0, selector: {} },
          });
      if (blocked.length === 0) return;
      for (const namespace of namespaces)
        world.management.create(drainPolicies, {
          apiVersion: 'phaseout.dev/v1alpha1',
          kind: 'DrainPolicy',
          metadata: { namespace, name: 'deletes' },
          spec: { blocked, controlPlanes: true, machinePools: true },
        });
    },
  };
}
