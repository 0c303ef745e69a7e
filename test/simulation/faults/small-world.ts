import { management } from '../platform/clusters.ts';
import { hookKeySecret } from '../platform/functions/key.ts';
import type { PlayedHook } from '../platform/functions/played.ts';
import { buildProviderToken, providerSecret } from '../platform/provider-token.ts';
import type { Random } from '../random.ts';
import type { Blueprint, MachineBlueprint, PodBlueprint } from '../scenario/blueprint.ts';
import { build } from '../scenario/build/build.ts';
import { buildDeletionHooks } from '../scenario/build/deletion-hooks.ts';
import { aCluster, aMachine, aNode, aPod } from '../scenario/draw/draft.ts';
import { blueSite, openShiftSite } from '../scenario/draw/usual-sites.ts';
import type { Deed, Scenario } from '../scenario/model.ts';

const soon = [200, 2_000];

const machines: readonly MachineBlueprint[] = [
  aMachine(blueSite, { name: 'blue-cp-1', isControlPlane: true }),
  aMachine(blueSite, { name: 'blue-worker-1', node: 'node-1', deletedAt: soon }),
  aMachine(openShiftSite, { name: 'shop-worker-1', node: 'node-1', deletedAt: soon }),
];

const podsOf = (host: string): PodBlueprint[] =>
  ['a', 'b'].map((name) => aPod({ host, node: 'node-1' }, { name }));

const blueprint: Blueprint = {
  clusters: [aCluster(blueSite)],
  machines,
  nodes: machines.flatMap(({ node, host, providerID }) =>
    node === undefined ? [] : [aNode({ host, name: node, providerID })],
  ),
  pods: ['blue', management].flatMap(podsOf),
  sets: [],
  budgets: [],
  volumes: [],
  rules: [],
};

/** A Machine of Cluster API and one with a provider's server are deleted. Only the fault in question holds them. */
export const smallWorld = (random: Random): Scenario => ({
  world: {
    workloads: ['blue'],
    instances: 1,
    config: { actuatorSecret: providerSecret },
    latencyMilliseconds: random.between(1, 50),
  },
  machines,
  build(world) {
    build(world, blueprint, 'v1beta2');
    buildProviderToken(world);
  },
  deeds: machines.flatMap(deletions),
  calmAt: 15_000,
  blockers: () => [],
  giveIn: () => undefined,
});

const moveData: PlayedHook = {
  namespace: blueSite.namespace,
  name: 'move-data',
  spec: {
    at: 'PreDrain',
    order: 0,
    every: '5s',
    silentAfter: '5m',
    onClusterDeletion: 'Proceed',
    controlPlanes: false,
  },
  plays: { until: 'Working', calls: 2 },
};

/** The same, where a function is asked about the Machine of Cluster API, and is done at its third call. */
export function smallWorldWithFunction(random: Random): Scenario {
  const usual = smallWorld(random);
  const { world: parts } = usual;
  const config = { ...parts.config, hookKey: hookKeySecret };
  return {
    ...usual,
    world: { ...parts, config, deletionHooks: [moveData] },
    build(world) {
      usual.build(world);
      buildDeletionHooks(world);
    },
  };
}

const deletions = ({ resource, namespace, name, deletedAt }: MachineBlueprint): Deed[] =>
  deletedAt.map((at) => ({
    at,
    run({ management: cluster }) {
      if (cluster.get(resource, namespace, name) !== undefined)
        cluster.remove(resource, { metadata: { namespace, name } });
    },
  }));
