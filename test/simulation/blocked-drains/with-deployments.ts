import { type BlockedAction, blockedActions } from '../../../shared/blocked/entry.ts';
import { policyDefinitions } from '../../stories/stage/hook-definitions.ts';
import { drainPolicies } from '../drain-policies/with-policies.ts';
import type { Random } from '../random.ts';
import type { Blueprint, MachineBlueprint } from '../scenario/blueprint.ts';
import type { Beside } from '../scenario/draw/beside.ts';
import type { Scenario } from '../scenario/model.ts';
import { drawPlan, scenarioOf } from '../scenario/plan.ts';
import type { World } from '../world.ts';
import { deploymentDeeds } from './deployment-deeds.ts';
import {
  buildDeployment,
  buildSpareNode,
  type DeploymentPlan,
  drawDeployment,
  rollouts,
} from './deployments.ts';

const causes = ['BudgetNeverAllows', 'BudgetExhausted', 'MultipleBudgets', 'AdmissionWebhook'];

/** Mostly both; else a part of them, or nothing. */
const grants: readonly (readonly BlockedAction[])[] = [['RolloutRestart'], ['Delete'], []];

/**
 * The same world with Deployments whose Pods run on the Nodes of its Machines. DrainPolicies say what is done about those
 * that are not let go. Some worlds grant only a part of that, or nothing.
 */
export function planWithDeployments(random: Random, beside?: Beside): Scenario {
  const drawn = drawPlan(random, beside);
  const scenario = scenarioOf(drawn);
  const chance = random.fork('deployments');
  const actions = new Set(chance.chance(0.75) ? blockedActions : chance.oneOf(grants));
  const plans = drawDeployments(chance.fork('which'), drawn.blueprint);
  const spares = hostsOf(scenario).filter(() => chance.chance(0.85));
  const policies = drawPolicies(chance.fork('policies'));
  const deeds = deploymentDeeds(chance.fork('deeds'), plans, scenario.calmAt);
  return {
    ...scenario,
    world: {
      ...scenario.world,
      ...(chance.fork('instances').chance(0.2) && { instances: 5 }),
      rollsOut: true,
      config: { ...scenario.world.config, actions },
    },
    deeds: [...scenario.deeds, ...deeds],
    build(world) {
      for (const definition of policyDefinitions)
        world.management.create('customresourcedefinitions.apiextensions.k8s.io', definition);
      scenario.build(world);
      for (const host of spares) buildSpareNode(world, host);
      for (const plan of plans) buildDeployment(world, plan);
      for (const namespace of new Set(scenario.machines.map((machine) => machine.namespace)))
        buildPolicies(world, namespace, policies);
    },
  };
}

const hostsOf = ({ machines }: Pick<Scenario, 'machines'>): string[] =>
  [...new Set(machines.map(({ host }) => host))].toSorted();

/** Mostly on the Nodes of Machines that are deleted and drained, however long that takes. */
function drawDeployments(random: Random, { machines }: Blueprint): DeploymentPlan[] {
  return hostsOf({ machines }).flatMap((host) => {
    const here = machines.filter((machine) => machine.host === host && machine.node !== undefined);
    const going = here.filter(isDrained);
    return Array.from({ length: random.between(3, 5) }, (_, index) => {
      const chosen = going.length > 0 && random.chance(0.9) ? going : here;
      const nodes = chosen.flatMap(({ node }) => node ?? []);
      return nodes.length === 0 ? [] : [drawDeployment(random, host, `rolled-${index + 1}`, nodes)];
    }).flat();
  });
}

const isDrained = ({ deletedAt, hooks, annotations, timeouts }: MachineBlueprint): boolean =>
  deletedAt.length > 0 &&
  hooks.length === 0 &&
  timeouts.drain === undefined &&
  Object.keys(annotations).length === 0;

interface PolicyPlan {
  name: string;
  blocked: readonly object[];
}

/** In the order of their names the first entry that fits decides. */
function drawPolicies(random: Random): PolicyPlan[] {
  const names = random.chance(0.3) ? ['first', 'second'] : ['only'];
  return names.map((name) => {
    const restarted = random.some(causes, 0.9).map((cause) => drawEntry(random, cause, 'RolloutRestart'));
    const deleted = random.some(causes, 0.5).map((cause) => drawEntry(random, cause, 'Delete'));
    return { name, blocked: random.chance(0.8) ? [...restarted, ...deleted] : [...deleted, ...restarted] };
  });
}

function drawEntry(random: Random, cause: string, action: BlockedAction): object {
  const after = random.oneOf(['0s', '5s', '5s', '20s']);
  const maxReplicas = random.oneOf([1, 2, 3, 3]);
  return {
    cause,
    after,
    action,
    pods: random.oneOf(podsOf[action]),
    ...(action === 'RolloutRestart' && { maxReplicas }),
  };
}

const ofRollouts = { namespaceSelector: { matchLabels: { team: rollouts } } };

/** A restart helps Pods of Deployments alone; the others are left for entries that delete. */
const podsOf: Readonly<Record<BlockedAction, readonly object[]>> = {
  RolloutRestart: [
    ofRollouts,
    ofRollouts,
    ofRollouts,
    { selector: { matchLabels: { app: 'rolled-1' } } },
    {},
  ],
  Delete: [
    { namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'NotIn', values: [rollouts] }] } },
    { selector: { matchLabels: { app: 'rolled-2' } } },
    {},
  ],
};

function buildPolicies(world: World, namespace: string, policies: readonly PolicyPlan[]): void {
  for (const { name, blocked } of policies)
    world.management.create(drainPolicies, {
      apiVersion: 'phaseout.dev/v1alpha1',
      kind: 'DrainPolicy',
      metadata: { namespace, name },
      spec: { blocked, controlPlanes: true, machinePools: true },
    });
}
