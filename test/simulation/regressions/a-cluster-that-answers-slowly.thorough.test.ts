import { expect, test } from 'vitest';
import type { Fault } from '../faults/fault.ts';
import type { MachineBlueprint } from '../scenario/blueprint.ts';
import { aCluster, aMachine, aNode, aPod, emptyDraft, type Site } from '../scenario/draw/draft.ts';
import type { Scenario } from '../scenario/model.ts';
import { scenarioOf } from '../scenario/plan.ts';
import { simulate } from '../simulate.ts';

// A cluster took seconds for each answer. Requests about its Machines took all places of an instance. Machines of other
// clusters waited for two minutes and more, until the sweep found them. Now such a cluster leaves places to others.

const siteOf = (host: string): Site => ({
  api: 'capi',
  namespace: 'fleet',
  cluster: host,
  host,
  workers: 1,
});

const workersOf = (site: Site, count: number, deletedAt: (index: number) => number): MachineBlueprint[] =>
  Array.from({ length: count }, (_, index) => {
    const name = `${site.host}-${index}`;
    return aMachine(site, { name, node: name, deletedAt: [deletedAt(index)] });
  });

const red = workersOf(siteOf('red'), 10, (index) => 1_000 + 10 * index);
const blue = workersOf(siteOf('blue'), 4, (index) => 30_000 + 3_000 * index);

/** Ten Machines of one cluster are deleted, and four of another while they go. One instance has eight places. */
const twoClusters = (): Scenario => {
  const workers = [...red, ...blue];
  const sites = ['red', 'blue'].map(siteOf);
  return scenarioOf({
    blueprint: {
      ...emptyDraft(),
      clusters: sites.map((site) => aCluster(site)),
      machines: [
        ...sites.map((site) => aMachine(site, { name: `${site.host}-cp`, isControlPlane: true })),
        ...workers,
      ],
      nodes: workers.map(({ host, name, providerID }) => aNode({ host, name, providerID })),
      pods: workers.map(({ host, name }) => aPod({ host, node: name }, { name })),
    },
    world: {
      workloads: ['red', 'blue'],
      instances: 1,
      config: { requestsInFlight: 8 },
      latencyMilliseconds: 5,
    },
    calmAt: 300_000,
  });
};

const slowRed: Fault = {
  name: 'the one of this story',
  about: 'Each request to the red cluster is answered after eight to nine seconds.',
  strike({ world, random }) {
    world.meddlers.onStep(({ label }) =>
      / of red by instance/.test(label) && !label.startsWith('answer')
        ? random.between(8_000, 9_000)
        : undefined,
    );
    return undefined;
  },
};

test('keeps no Machine of another cluster waiting', async () => {
  const seconds = new Map<string, number>();
  const { violations } = await simulate(1, {
    faults: [slowRed],
    always: true,
    invariants: [],
    scenario: twoClusters,
    observers: [
      (world) => ({
        after({ resource, name }) {
          const machine = [...red, ...blue].find((each) => each.name === name && each.resource === resource);
          if (machine === undefined || world.management.get(resource, 'fleet', name) !== undefined) return;
          const [deletedAt = 0] = machine.deletedAt;
          seconds.set(name, (world.now() - world.began - deletedAt) / 1_000);
        },
      }),
    ],
  });
  expect(violations).toEqual([]);
  const slowest = (machines: MachineBlueprint[]) =>
    Math.max(...machines.map(({ name }) => seconds.get(name) ?? Number.POSITIVE_INFINITY));
  expect(slowest(blue)).toBeLessThan(5);
  // And its own Machines have their turns.
  expect(slowest(red)).toBeLessThan(330);
});
