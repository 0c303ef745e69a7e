import { recordAt } from '../../../shared/dialects/fields.ts';
import { policyDefinitions } from '../../stories/stage/hook-definitions.ts';
import type { Random } from '../random.ts';
import { createWithStatus } from '../scenario/build/create.ts';
import type { Beside } from '../scenario/draw/beside.ts';
import type { Scenario } from '../scenario/model.ts';
import { drawPlan, scenarioOf } from '../scenario/plan.ts';
import type { World } from '../world.ts';

export const drainPolicies = 'drainpolicies.phaseout.dev';
const machines = 'machines.cluster.x-k8s.io';
/** The name of the Machine whose Node is not Ready. */
export const ailing = 'ailing';

/**
 * The same world with a DrainPolicy in each namespace of Machines. In some worlds there are two of them. In some a Machine lives
 * beside those of Cluster API whose Node is not Ready for a while.
 */
export function planWithPolicies(random: Random, beside?: Beside): Scenario {
  const scenario = scenarioOf(drawPlan(random, beside));
  const chance = random.fork('drain policies');
  const maxUnavailable = chance.oneOf([1, 1, 2]);
  const names = chance.chance(0.4) ? ['all', 'workers'] : ['workers'];
  const healsAt = chance.chance(0.5)
    ? Math.round((scenario.calmAt * chance.between(50, 95)) / 100)
    : undefined;
  const namespaces = [...new Set(scenario.machines.map(({ namespace }) => namespace))].toSorted();
  return {
    ...scenario,
    deeds:
      healsAt === undefined
        ? scenario.deeds
        : [...scenario.deeds, { at: healsAt, run: (world: World) => heal(world) }].toSorted(
            (a, b) => a.at - b.at,
          ),
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
      if (healsAt !== undefined) for (const namespace of namespaces) addAiling(world, namespace);
    },
  };
}

/** A living Machine, made like one that is there. Its Node is not Ready. */
export function addAiling(world: World, namespace: string): void {
  const like = world.management.list(machines).find(({ metadata }) => metadata.namespace === namespace);
  if (like === undefined) return;
  const { apiVersion = '', kind = '' } = like;
  const spec = { ...recordAt(like, 'spec'), providerID: `cloud:///${ailing}` };
  const metadata = { namespace, name: ailing };
  const status = { nodeRef: { name: `node-of-${ailing}` }, ...conditions(world, 'False') };
  createWithStatus(world.management, machines, { apiVersion, kind, metadata, spec, status });
}

function heal(world: World): void {
  const those = world.management.list(machines).filter(({ metadata }) => metadata.name === ailing);
  if (those.length > 0)
    world.say('somebody', 'sees that the Node of the Machine that was not Ready is Ready');
  for (const machine of those)
    world.management.patch(machines, machine, { status: conditions(world, 'True') }, 'status');
}

/** In the forms of all versions of the API. */
function conditions(world: World, status: 'True' | 'False'): object {
  const lastTransitionTime = new Date(world.now()).toISOString();
  const condition = (type: string): object => ({
    type,
    status,
    reason: type,
    message: type,
    lastTransitionTime,
  });
  return {
    conditions: [condition('NodeReady'), condition('NodeHealthy')],
    v1beta2: { conditions: [condition('NodeReady')] },
  };
}
