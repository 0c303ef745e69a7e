import type { Random } from '../random.ts';
import type { Blueprint } from './blueprint.ts';
import { build } from './build/build.ts';
import type { Deed, Scenario } from './model.ts';

/** A world and what happens in it, all of it by chance. */
export function planScenario(random: Random): Scenario {
  const blueprint = smallest();
  return {
    world: {
      workloads: ['blue'],
      instances: random.between(1, 2),
      config: {},
      latencyMilliseconds: random.oneOf([1, 20, 100]),
    },
    machines: blueprint.machines,
    build: (world) => build(world, blueprint, 'v1beta2'),
    deeds: blueprint.machines.flatMap(deletions),
    calmAt: 60_000,
    blockers: () => [],
    giveIn: () => undefined,
  };
}

const deletions = ({ resource, namespace, name, deletedAt }: Blueprint['machines'][number]): Deed[] =>
  deletedAt.map((at) => ({
    at,
    run(world) {
      world.say('a user', `deletes ${name}`);
      if (world.management.get(resource, namespace, name) !== undefined)
        world.management.remove(resource, { metadata: { namespace, name } });
    },
  }));

function smallest(): Blueprint {
  const quick = { stopSeconds: 1, neverStops: false, finalizers: [] };
  const common = {
    api: 'capi' as const,
    resource: 'machines.cluster.x-k8s.io',
    namespace: 'fleet',
    host: 'blue',
    cluster: 'blue',
    hasNodeRef: true,
    hooks: [],
    timeouts: { node: 10 },
    labels: {},
    annotations: {},
    finalizers: [],
  };
  const cp = { name: 'blue-cp-1', node: undefined, isControlPlane: true, providerID: 'sim://blue/cp-1' };
  const worker = { name: 'blue-worker-1', node: 'node-1', isControlPlane: false };
  const pod = {
    kind: 'plain',
    host: 'blue',
    namespace: 'shop',
    node: 'node-1',
    labels: {},
    annotations: {},
    finalizers: [],
    replicaSet: undefined,
    job: undefined,
    claims: [],
    hasLocalStorage: false,
    state: 'running' as const,
  };
  return {
    clusters: [
      {
        api: 'capi',
        namespace: 'fleet',
        name: 'blue',
        host: 'blue',
        controlPlane: undefined,
        isPaused: false,
      },
    ],
    machines: [
      { ...common, ...cp, hasNodeRef: false, infrastructure: undefined, bootstrap: undefined, deletedAt: [] },
      {
        ...common,
        ...worker,
        providerID: 'sim://blue/worker-1',
        infrastructure: quick,
        bootstrap: quick,
        deletedAt: [1_000],
      },
    ],
    nodes: [{ host: 'blue', name: 'node-1', providerID: 'sim://blue/worker-1', labels: {}, finalizers: [] }],
    pods: [
      { ...pod, name: 'cart-1' },
      { ...pod, name: 'cart-2' },
    ],
    sets: [],
    budgets: [],
    volumes: [],
    rules: [],
  };
}
