import { management } from '../platform/clusters.ts';
import type { Random } from '../random.ts';
import type { Blueprint, MachineBlueprint } from '../scenario/blueprint.ts';
import { build } from '../scenario/build/build.ts';
import { aCluster, aNode, emptyDraft, type Site } from '../scenario/draw/draft.ts';
import type { Deed, Scenario } from '../scenario/model.ts';
import { planScenario, scenarioOf } from '../scenario/plan.ts';

/** A scenario that is played again and again, each time with something else that goes wrong. */
export interface Story {
  name: string;
  seed: number;
  /** The same each time. */
  scenario(random: Random): Scenario;
}

/** What a story made by hand is about. All of it is over when the calm comes. */
export interface Telling {
  name: string;
  site: Site;
  machines: readonly MachineBlueprint[];
  /** Machines that a deed makes. */
  newcomers?: readonly MachineBlueprint[];
  /** Of the same cluster. Fields that are left out have their usual values. */
  also?: Partial<Blueprint>;
  /** What people do beside deleting Machines and taking hooks off. */
  deeds?: readonly Deed[];
  version?: 'v1beta1';
  instances?: number;
}

const calmAt = 40_000;

/** Nothing in it is by chance but how long each step takes. */
export const told = (telling: Telling): Story => ({
  name: telling.name,
  seed: 1,
  scenario: () => scenarioTold(telling),
});

/** The scenario of a seed; of its faults none strikes. */
export const drawn = (seed: number): Story => ({ name: `seed-${seed}`, seed, scenario: planScenario });

function scenarioTold(telling: Telling): Scenario {
  const { site, also = {}, newcomers = [], deeds = [], version, instances = 1 } = telling;
  const parts = {
    workloads: site.host === management ? [] : [site.host],
    ...(version !== undefined && { version }),
    instances,
    config: {},
    latencyMilliseconds: 20,
  };
  const blueprint = blueprintOf(site, telling.machines, also);
  const machines = [...telling.machines, ...newcomers];
  const scenario = scenarioOf({ blueprint: { ...blueprint, machines }, world: parts, calmAt });
  return {
    ...scenario,
    build: (world) => build(world, blueprint, version ?? 'v1beta2'),
    deeds: [...scenario.deeds, ...deeds],
  };
}

function blueprintOf(site: Site, machines: readonly MachineBlueprint[], also: Partial<Blueprint>): Blueprint {
  const clusters = site.cluster === undefined ? [] : [aCluster(site)];
  const nodes = machines.flatMap(({ node, providerID }) =>
    node === undefined ? [] : [aNode({ host: site.host, name: node, providerID })],
  );
  return { ...emptyDraft(), clusters, machines, nodes, ...also };
}
