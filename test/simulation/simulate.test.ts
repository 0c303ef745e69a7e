import { expect, test } from 'vitest';
import type { Fault } from './faults/fault.ts';
import { smallWorld } from './faults/small-world.ts';
import type { Invariant } from './invariants/invariant.ts';
import { buildProviderToken } from './platform/provider-token.ts';
import { createRandom } from './random.ts';
import { buildOriginalMachine } from './scenario/build/provider-machines.ts';
import { aMachine } from './scenario/draw/draft.ts';
import { newServer } from './scenario/draw/servers.ts';
import { originalSite } from './scenario/draw/usual-sites.ts';
import type { Scenario } from './scenario/model.ts';
import { type SimulationOptions, simulate } from './simulate.ts';
import type { World } from './world.ts';

/** Nothing goes wrong, and only the given observers look. */
const play = (scenario: Partial<Scenario>, options: SimulationOptions = {}) =>
  simulate(1, {
    faults: [],
    invariants: [],
    scenario: (random) => ({ ...smallWorld(random), ...scenario }),
    ...options,
  });

const untilGone: Invariant = {
  name: 'no Machine goes',
  watch: (world, _scenario, violated) => {
    world.management.watch('machines.cluster.x-k8s.io', ({ type }) => {
      if (type === 'DELETED') violated('one is gone');
    });
    return {};
  },
};

test('a world in which nothing goes wrong is played to its end', async () => {
  const parts: string[] = [];
  const observers = [
    () => ({
      calm: () => parts.push('calm'),
      stoodStill: () => parts.push('stood still'),
      quiet: () => parts.push('quiet'),
      ended: () => parts.push('ended'),
    }),
  ];
  const { violations, seconds } = await play({}, { observers });
  expect({ violations, parts }).toEqual({ violations: [], parts: ['calm', 'quiet', 'ended'] });
  // The calm comes after 15 s, and two sweeps of all after it.
  expect(seconds).toBeGreaterThan(15 + 180);
});

/** Puts a hook on the worker of Cluster API, or takes it off. */
const hook = (world: World, owner: string | null): void =>
  void world.management.patch(
    'machines.cluster.x-k8s.io',
    { metadata: { namespace: 'fleet', name: 'blue-worker-1' } },
    { metadata: { annotations: { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/a': owner } } },
  );

test('who is held is let go, after everybody was told', async () => {
  const small = smallWorld(createRandom(1));
  const worker = small.machines.filter(({ name }) => name === 'blue-worker-1');
  const parts: string[] = [];
  const scenario: Partial<Scenario> = {
    blockers: () => worker.map((machine) => ({ machine, kind: 'hook', what: 'a hook', says: /a hook/ })),
    build(world) {
      small.build(world);
      hook(world, 'nobody');
    },
    giveIn(world) {
      parts.push('given in');
      hook(world, null);
    },
  };
  const observers = [
    () => ({ stoodStill: () => parts.push('stood still'), quiet: () => parts.push('quiet') }),
  ];
  const { violations } = await play(scenario, { observers });
  expect({ violations, parts }).toEqual({ violations: [], parts: ['stood still', 'given in', 'quiet'] });
});

test('who is held until everybody is about to be told has the time to go', async () => {
  const small = smallWorld(createRandom(1));
  const [worker] = small.machines.filter(({ name }) => name === 'blue-worker-1');
  const parts: string[] = [];
  let isHeld = true;
  const scenario: Partial<Scenario> = {
    blockers: () =>
      isHeld && worker !== undefined
        ? [{ machine: worker, kind: 'hook', what: 'a hook', says: /a hook/ }]
        : [],
    build(world) {
      small.build(world);
      hook(world, 'nobody');
      // The calm comes after 18 s, and `stoodStill` four minutes after that.
      world.scheduler.after(257_000, () => {
        isHeld = false;
        hook(world, null);
      });
    },
  };
  const observers = [
    () => ({ stoodStill: () => parts.push('stood still'), quiet: () => parts.push('quiet') }),
  ];
  const { violations } = await play(scenario, { observers });
  expect({ violations, parts }).toEqual({ violations: [], parts: ['quiet'] });
});

test('it ends with the first violation, which is told by its name', async () => {
  const parts: string[] = [];
  const observers = [() => ({ calm: () => parts.push('calm'), ended: () => parts.push('ended') })];
  const { violations } = await play({}, { invariants: [untilGone], observers });
  expect({ violations, parts }).toEqual({
    violations: ['no Machine goes: one is gone'],
    parts: ['ended'],
  });
});

test('a world that never comes to rest violates that, once', async () => {
  const { violations } = await play({
    machines: [],
    deeds: [
      {
        at: 0,
        run({ scheduler }) {
          const again = (): void => void scheduler.after(1, again);
          again();
        },
      },
    ],
  });
  expect(violations).toEqual([expect.stringMatching(/^a world comes to rest: \d+ events$/)]);
});

test('a world is not restless at its begin because phaseout is there for none of its Machines', async () => {
  const others = [
    {
      api: 'capi' as const,
      resource: 'machines.cluster.x-k8s.io',
      namespace: 'fleet',
      name: 'worker-1',
      host: 'management',
      node: undefined,
    },
  ];
  const { violations } = await play({
    machines: [],
    others,
    deeds: [
      {
        at: 0,
        run({ scheduler }) {
          for (let event = 0; event < 100; event += 1) scheduler.after(0, () => undefined);
        },
      },
    ],
  });
  expect(violations).toEqual([]);
});

test('a mistake of the simulation’s own is told as such, with where it was made', async () => {
  const { violations } = await play({
    build() {
      throw new Error('there is no such cluster');
    },
  });
  expect(violations).toEqual([
    expect.stringMatching(/^the simulation itself: Error: there is no such cluster\n +at .*simulate\.test/),
  ]);
});

/** Names of those that strike in a seed without any deed. */
async function struck(seed: number, names: readonly (readonly [string, number])[]): Promise<string[]> {
  const all: string[] = [];
  const faults = names.map(
    ([name, often]): Fault => ({
      name,
      about: '',
      often,
      strike() {
        all.push(name);
        return undefined;
      },
    }),
  );
  const nothing: Partial<Scenario> = { deeds: [], calmAt: 1 };
  const { violations } = await simulate(seed, {
    faults,
    invariants: [],
    scenario: (random) => ({ ...smallWorld(random), ...nothing }),
  });
  expect(violations).toEqual([]);
  return all;
}

test('what strikes often does so wherever something goes wrong, and in some seeds nothing does', async () => {
  const usual = Array.from({ length: 40 }, (_, index) => [`usual-${index}`, 0] as const);
  const seeds = Array.from({ length: 12 }, (_, index) => index + 1);
  const all = await Promise.all(seeds.map((seed) => struck(seed, [...usual, ['often', 1]])));
  expect(all.filter((names) => names.length === 0).length).toBeGreaterThan(0);
  expect(all.filter((names) => names.length > 1).length).toBeGreaterThan(3);
  expect(all.filter((names) => names.length > 0 && !names.includes('often'))).toEqual([]);
});

test('a Machine that lives and has no server yet is waited for', async () => {
  const plan = { ...aMachine(originalSite, { name: 'blue-old-1', server: newServer }), cluster: undefined };
  const servers: string[][] = [];
  const { violations } = await play(
    {
      machines: [plan],
      deeds: [],
      build(world) {
        world.management.create('namespaces', { metadata: { name: plan.namespace } });
        buildOriginalMachine(world, plan);
        buildProviderToken(world);
      },
      calmAt: 1_000,
    },
    {
      observers: [
        (world) => ({ quiet: () => servers.push(world.cloud.servers().map(({ state }) => state)) }),
      ],
    },
  );
  expect([violations, servers]).toEqual([[], [['running']]]);
});
