import { describe, expect, test } from 'vitest';
import { management } from '../platform/clusters.ts';
import { createRandom } from '../random.ts';
import { World } from '../world.ts';
import { ourHook } from './beside.ts';
import type { Blueprint } from './blueprint.ts';
import type { Beside } from './draw/beside.ts';
import { drawPlan, planScenario, scenarioOf } from './plan.ts';
import type { Plan } from './planned.ts';

const seeds = Array.from({ length: 300 }, (_, index) => index + 1);
const blueprints: Blueprint[] = seeds.map((seed) => drawPlan(createRandom(seed)).blueprint);

const sorted = (words: Iterable<string>): string[] => [...new Set(words)].toSorted();

const plan = (seed: number) => drawPlan(createRandom(seed));

test('the same seed makes the same plan, and another one another', () => {
  expect(plan(17)).toEqual(plan(17));
  expect(plan(17)).not.toEqual(plan(18));
});

test('Pods of every kind are planned', () => {
  expect(sorted(blueprints.flatMap(({ pods }) => pods.map(({ kind }) => kind)))).toEqual([
    'batch',
    'failed',
    'in a circle',
    'job',
    'labelled to complete',
    'labelled to stay',
    'labelled to stay, with a volume',
    'mirror',
    'monitor',
    'never stops',
    'of a bystander',
    'of a job with a budget',
    'of the back',
    'of the front',
    'one of two of one name',
    'plain',
    'replica',
    'slow',
    'succeeded',
    'terminating',
    'terminating for ever',
    'waited for and complete',
    'waited for and never complete',
    'with a finalizer',
    'with a volume',
    'with a volume that stays',
    'with local storage',
  ]);
});

test('hooks of both points are planned, of owners that are prompt, slow, or never come, and of owners who are not named', () => {
  const hooks = blueprints.flatMap(({ machines }) => machines.flatMap((machine) => machine.hooks));
  expect(sorted(hooks.map(({ point, owner }) => `${point} ${owner}`))).toEqual([
    'pre-drain ',
    'pre-drain clusteroperator/etcd',
    'pre-drain local-hook-owner',
    'pre-drain nobody/left-the-company',
    'pre-drain phaseout.dev',
    'pre-drain somebody/slow',
    'pre-terminate ',
    'pre-terminate local-hook-owner',
    'pre-terminate nobody/left-the-company',
    'pre-terminate phaseout.dev',
    'pre-terminate somebody/slow',
  ]);
});

const traits: Readonly<Record<string, (blueprint: Blueprint) => boolean>> = {
  'Machines of Cluster API': ({ machines }) => machines.some(({ api }) => api === 'capi'),
  'Machines of OpenShift': ({ machines }) => machines.some(({ api }) => api === 'openshift'),
  'Machines of v1alpha1': ({ machines }) => machines.some(({ api }) => api === 'v1alpha1'),
  'Nodes beside Machines of Cluster API': ({ machines }) =>
    machines.some(({ api, host }) => api === 'capi' && host === management),
  'Nodes beside Machines of v1alpha1': ({ machines }) =>
    machines.some(({ api, host }) => api === 'v1alpha1' && host === management),
  'three clusters': ({ clusters }) => clusters.length === 3,
  'two Clusters of one name': ({ clusters }) =>
    new Set(clusters.map(({ name }) => name)).size < clusters.length,
  'Machines of two APIs with one name, in one namespace': ({ machines }) =>
    new Set(machines.map(({ namespace, name }) => `${namespace}/${name}`)).size < machines.length,
  'one control plane Machine that goes': ({ machines }) => goingMembers(machines) === 1,
  'two control plane Machines that go': ({ machines }) => goingMembers(machines) === 2,
  'members of a control plane of v1alpha1 that all go within seconds': ({ machines }) => {
    const members = machines.filter(({ api, isControlPlane }) => api === 'v1alpha1' && isControlPlane);
    const times = members.map(({ deletedAt: [at = Infinity] }) => at);
    return times.length === 2 && Math.max(...times) - Math.min(...times) <= 3_000;
  },
  'an external control plane': ({ clusters }) =>
    clusters.some(({ controlPlane }) => controlPlane === 'external'),
  'a paused Cluster': ({ clusters }) => clusters.some(({ isPaused }) => isPaused),
  'a living worker': ({ machines }) =>
    machines.some(({ deletedAt, isControlPlane }) => deletedAt.length === 0 && !isControlPlane),
  'a Machine that is deleted twice': ({ machines }) =>
    machines.some(({ deletedAt }) => deletedAt.length === 2),
  'a Machine without infrastructure': ({ machines }) =>
    machines.some(({ api, infrastructure }) => api === 'capi' && infrastructure === undefined),
  'a Machine without a bootstrap object': ({ machines }) =>
    machines.some(({ api, bootstrap }) => api === 'capi' && bootstrap === undefined),
  'a Machine that does not name its Node': ({ machines }) =>
    machines.some(({ node, hasNodeRef }) => node !== undefined && !hasNodeRef),
  'a Node that is not there': ({ machines, nodes }) =>
    machines.some(
      ({ host, node }) => node !== undefined && nodes.every((one) => one.host !== host || one.name !== node),
    ),
  'somebody else’s finalizer on a Machine': ({ machines }) =>
    machines.some(({ finalizers }) => finalizers.length > 0),
  'somebody else’s finalizer on a Machine, before our own': ({ machines }) =>
    machines.some(({ earlierFinalizers }) => earlierFinalizers.length > 0),
  'somebody else’s finalizer on a Node': ({ nodes }) => nodes.some(({ finalizers }) => finalizers.length > 0),
  'a time limit for the drain': ({ machines }) =>
    machines.some(({ timeouts }) => timeouts.drain !== undefined),
  'a time limit for volumes': ({ machines }) =>
    machines.some(({ timeouts }) => timeouts.volumes !== undefined),
  'a copy of a Machine that lives, and goes': ({ machines }) => goesFromCopies(machines, false, true),
  'a copy of a Machine that goes, and goes as well': ({ machines }) => goesFromCopies(machines, true, true),
  'a living copy of a Machine that goes': ({ machines }) => goesFromCopies(machines, true, false),
  'a Node that a webhook keeps, without a time limit': ({ machines }) =>
    machines.some(({ nodeKeptSeconds = 0, timeouts }) => nodeKeptSeconds > 10 && timeouts.node === 0),
  'a server that a webhook keeps, while a Pod comes to its Node': ({ machines }) =>
    machines.some(({ serverKept }) => serverKept !== undefined && (serverKept.podAfterSeconds ?? 0) > 6),
  'a time limit of 0 for the drain': ({ machines }) => machines.some(({ timeouts }) => timeouts.drain === 0),
  'a time limit of 0 for volumes': ({ machines }) => machines.some(({ timeouts }) => timeouts.volumes === 0),
  'a Machine whose server is gone': ({ machines }) =>
    machines.some(({ server, deletedAt }) => server?.state === 'gone' && deletedAt.length > 0),
  'a living Machine whose server is gone': ({ machines }) =>
    machines.some(({ server, deletedAt }) => server?.state === 'gone' && deletedAt.length === 0),
  'a Machine that goes and never had a server': ({ machines }) =>
    machines.some(({ server, deletedAt }) => server?.state === 'not made' && deletedAt.length > 0),
  'a living Machine that has no server yet': ({ machines }) =>
    machines.some(({ server, deletedAt }) => server?.state === 'not made' && deletedAt.length === 0),
  'a Machine that is made later, and soon deleted': ({ machines }) =>
    machines.some(
      ({ server, deletedAt }) => (deletedAt[0] ?? Infinity) - (server?.madeAt ?? -Infinity) < 1_000,
    ),
  'a server that nobody knows': ({ machines }) => machines.some(({ server }) => server?.hasLeftover === true),
  rules: ({ rules }) => rules.length > 0,
  'a DaemonSet': ({ sets }) => sets.some(({ kind }) => kind === 'DaemonSet'),
  'Pods that come back': ({ sets }) => sets.some(({ name }) => name.endsWith('-returning')),
  'a budget that can never be kept': ({ budgets }) =>
    budgets.some(({ spec }) => 'minAvailable' in spec && spec.minAvailable !== '50%'),
};

const isGoing = ({ deletedAt }: { deletedAt: readonly number[] }): boolean => deletedAt.length > 0;

/** Whether the original goes, and the copy. */
const goesFromCopies = (machines: Blueprint['machines'], original: boolean, copy: boolean): boolean =>
  machines.some((one) => {
    const other = machines.find(({ name, namespace }) => name === one.copyOf && namespace === one.namespace);
    return other !== undefined && isGoing(other) === original && isGoing(one) === copy;
  });

const goingMembers = (machines: Blueprint['machines']): number =>
  machines.filter(({ isControlPlane, deletedAt }) => isControlPlane && deletedAt.length > 0).length;

test.each(Object.entries(traits))('there are worlds with %s', (_name, isSo) => {
  expect(blueprints.some(isSo)).toBe(true);
});

test('phaseout is configured in every way that matters to what it does', () => {
  const plans = seeds.map((seed) => drawPlan(createRandom(seed)));
  const settings = plans.flatMap(({ world }) => Object.entries(world.config));
  expect(
    sorted(settings.map(([field, value]) => `${field} ${JSON.stringify(value).replaceAll(/["[\]]/g, '')}`)),
  ).toEqual([
    'actuatorSecret phaseout/provider-token',
    'actuatorTimeoutSeconds 2',
    'actuatorTimeoutSeconds 5',
    'besideControlPlanes false',
    'besideControlPlanes true',
    'besideExcluded drain',
    'considerVolumeAttachments false',
    'duePingSource fleet/sweep-due',
    'hookKey phaseout/phaseout-hook-key',
    'hooksAfter backup,backup-pre-drain,EtcdQuorumOperator',
    'lease phaseout/phaseout',
    'mode {capi:beside,openshift:beside,v1alpha1:replace}',
    'mode {capi:beside,openshift:replace,v1alpha1:replace}',
    'mode {capi:replace,openshift:beside,v1alpha1:replace}',
    'namespaces annex',
    'namespaces annex,fleet',
    'namespaces fleet',
    'namespaces old-fleet',
    'namespaces openshift-machine-api',
    'nodeConditions true',
    'ownNode node-1',
    'ownNode node-2',
    'ownNode node-cp-1',
    'requestTimeoutSeconds 10',
    'requestTimeoutSeconds 3',
    'requestsInFlight 2',
    'requestsInFlight 20',
    'requestsInFlight 5',
    'requeueAfterSeconds 10',
    'requeueAfterSeconds 5',
    'requeueAfterSeconds 60',
    'wakeUpSeconds 1',
    'wakeUpSeconds 30',
    'wakeUpSeconds 5',
    'wakeUps false',
    'wakeUpsMax 0',
    'wakeUpsMax 1',
    'wakeUpsMax 2',
    'watchFilter ours',
  ]);
  expect(new Set(plans.map(({ doesTickGoFirst }) => doesTickGoFirst))).toEqual(new Set([true, false]));
});

const hasPeers = ({ world: { peer, otherPeers } }: Plan): boolean =>
  peer !== undefined || otherPeers !== undefined;

test('the APIs’ own controllers take part in some worlds, in all or in none', () => {
  const peers = (wish?: Beside) => seeds.filter((seed) => hasPeers(drawPlan(createRandom(seed), wish)));
  expect(peers('none')).toEqual([]);
  expect(peers('all')).toEqual(seeds);
  expect(peers().length).toBeGreaterThan(seeds.length / 10);
  expect(peers().length).toBeLessThan(seeds.length / 3);
});

test.each<[Beside, string[]]>([
  ['all', ['capi', 'capi openshift', 'openshift']],
  [
    'observe',
    ['capi', 'capi openshift', 'capi openshift v1alpha1', 'capi v1alpha1', 'openshift', 'v1alpha1'],
  ],
])('they are those of one Machine API or of several: %s', (wish, kinds) => {
  const worlds = seeds.map((seed) => drawPlan(createRandom(seed), wish).world);
  const of = worlds.map(({ peer, otherPeers = [] }) => [...(peer ? ['capi'] : []), ...otherPeers].join(' '));
  expect(sorted(of)).toEqual(expect.arrayContaining(kinds));
});

test('our hook is before those of others, after them and between them', () => {
  const machines = seeds.flatMap((seed) => drawPlan(createRandom(seed), 'all').blueprint.machines);
  const places = machines.flatMap(({ api, hooks }) => {
    const names = hooks.filter(({ point }) => point === 'pre-drain').map(({ name }) => name);
    const at = names.indexOf('phaseout');
    if (api !== 'openshift' || at < 0 || names.length === 1) return [];
    if (at === 0) return ['before'];
    return [at === names.length - 1 ? 'after' : 'between'];
  });
  expect(sorted(places)).toEqual(['after', 'before', 'between']);
});

test('without it a world is as it would be if there were none', () => {
  const [with_, without] = [undefined, 'none' as const].map((wish) =>
    seeds.map((seed) => drawPlan(createRandom(seed), wish)),
  );
  const alone = with_?.filter((each) => !hasPeers(each)) ?? [];
  expect(without).toEqual(expect.arrayContaining(alone));
});

test('where it takes part Machines have our hook, get it in time, or do not', () => {
  const plans = seeds.map((seed) => drawPlan(createRandom(seed), 'all'));
  const going = plans
    .flatMap(({ blueprint }) => blueprint.machines)
    .filter((machine) => machine.api === 'capi' && isGoing(machine));
  const kinds = sorted(
    going.map(({ annotations, deletedAt: [at = 0] }) => `${ourHook in annotations} ${at > 60_000}`),
  );
  expect(kinds).toEqual(['false false', 'false true', 'true false']);
});

describe('functions that are asked', () => {
  const plans = seeds.map(plan);
  const withSome = plans.filter(({ world }) => world.deletionHooks !== undefined);
  const hooks = withSome.flatMap(({ world }) => world.deletionHooks ?? []);

  test('are in a share of the worlds', () => {
    expect(withSome.length / plans.length).toBeGreaterThan(0.2);
    expect(withSome.length / plans.length).toBeLessThan(0.35);
  });

  test('are for Machines that go, of APIs with hooks', () => {
    const apis = withSome.flatMap(({ blueprint, world }) =>
      (world.deletionHooks ?? []).map(({ namespace }) =>
        sorted(
          blueprint.machines
            .filter((machine) => machine.namespace === namespace && isGoing(machine))
            .map(({ api }) => `${api} ${world.config.mode?.[api] ?? 'replace'}`)
            .filter((api) => !api.startsWith('v1alpha1')),
        ).join(),
      ),
    );
    expect(sorted(apis)).toEqual(['capi beside', 'capi replace', 'openshift beside', 'openshift replace']);
  });

  test('behave in every way', () => {
    const ways = hooks.map(({ plays: { until = 'nothing', calls } }) =>
      calls === 0 ? 'Done' : `${until}, then ${calls === undefined ? 'never' : 'Done'}`,
    );
    expect(sorted(ways)).toEqual([
      'Done',
      'Failed, then Done',
      'Failed, then never',
      'Working, then Done',
      'Working, then never',
      'nothing, then Done',
      'nothing, then never',
    ]);
  });

  test('have every place, and every kind of limit', () => {
    expect(
      sorted(
        hooks.map(
          ({ spec: { at, onTimeout = 'no limit', onClusterDeletion } }) =>
            `${at} ${onTimeout} ${onClusterDeletion}`,
        ),
      ),
    ).toEqual([
      'PreDrain Hold Proceed',
      'PreDrain Proceed Proceed',
      'PreDrain no limit Proceed',
      'PreTerminate Hold Hold',
      'PreTerminate Hold Proceed',
      'PreTerminate Proceed Hold',
      'PreTerminate Proceed Proceed',
      'PreTerminate no limit Hold',
      'PreTerminate no limit Proceed',
    ]);
  });
});

test('phaseout may not be there for all Machines, and always is for one that goes', () => {
  const plans = seeds.map((seed) => drawPlan(createRandom(seed)));
  const some = plans.filter(({ world: { config } }) => config.namespaces ?? config.watchFilter);
  const scenarios = some.map(scenarioOf);
  const whose = scenarios.flatMap(({ others = [], world: { config } }) =>
    others.map(({ api }) => `${api} by ${config.namespaces === undefined ? 'label' : 'namespace'}`),
  );
  expect(sorted(whose)).toEqual([
    'capi by label',
    'capi by namespace',
    'openshift by namespace',
    'v1alpha1 by namespace',
  ]);
  expect(scenarios.filter(({ machines }) => machines.length === 0)).toEqual([]);
});

test('no world has more than twelve Machines or three clusters beside theirs', () => {
  expect(Math.max(...blueprints.map(({ machines }) => machines.length))).toBeLessThanOrEqual(12);
  expect(Math.max(...seeds.map((seed) => drawPlan(createRandom(seed)).world.workloads.length))).toBe(3);
});

test('nobody does anything after the calm', () => {
  for (const seed of seeds) {
    const { deeds, calmAt } = planScenario(createRandom(seed));
    expect(Math.max(...deeds.map(({ at }) => at))).toBeLessThan(calmAt);
  }
});

test.each(seeds.slice(0, 40))('what seed %i plans can be built, and nothing is left out', async (seed) => {
  const random = createRandom(seed);
  const drawn = drawPlan(random.fork('scenario'));
  const scenario = scenarioOf(drawn);
  const world = new World({ ...scenario.world, random: random.fork('world') });
  scenario.build(world);
  await world.scheduler.run(world.now() + 3_000);
  const missing = drawn.blueprint.machines.filter(
    ({ resource, namespace, name }) => world.management.get(resource, namespace, name) === undefined,
  );
  const later = drawn.blueprint.machines.filter(({ server }) => server?.madeAt !== undefined);
  expect([missing, world.violations, scenario.blockers(world)]).toEqual([later, [], []]);
  world.end();
});
