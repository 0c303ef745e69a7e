import { expect, test } from 'vitest';
import { infrastructure } from '../../../functions/infrastructure.ts';
import { sweep } from '../../../functions/sweep.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { after } from '../../builders/cluster-api.ts';
import { anOriginalWorld, type OriginalWorld } from '../../builders/v1alpha1-world.ts';
import { aCommand } from '../../builders/world.ts';

const { machine: ref } = aCommand();
const machine = { ...ref, apiVersion: 'cluster.k8s.io/v1alpha1' };
const first = aCommand({ machine, phase: 'infrastructure', seq: 0 });

/**
 * A Machine ten seconds into its deletion. Its provider asks for so many seconds before the next attempt to delete its
 * server.
 */
async function whoAsksFor(afterSeconds: number, livingAskedFor?: number): Promise<OriginalWorld> {
  const world = anOriginalWorld();
  world.cloud.next('delete', () => ({ kind: 'retry', afterSeconds, message: 'busy' }));
  if (livingAskedFor !== undefined)
    await world.env.store.schedule({ machine, at: after(10 + livingAskedFor), failures: 0 });
  await reconcilePhase(world.env, infrastructure, first);
  return world;
}

/** A cold instance sweeps each second for so long, and runs what it finds: when it has asked the provider. */
async function askedBySecond(world: OriginalWorld, seconds: number): Promise<number[]> {
  const cold = world.another();
  const times: number[] = [];
  for (let second = 1; second <= seconds; second += 1) {
    world.time.now = after(10 + second);
    const before = world.cloud.asked.length;
    for (const command of await sweep(cold, 'due')) await reconcilePhase(cold, infrastructure, command);
    if (world.cloud.asked.length > before) times.push(second);
  }
  return times;
}

test.each<[what: string, asksFor: number, livingAskedFor: number | undefined]>([
  ['earlier than a first look', 10, undefined],
  ['later than a first look', 45, undefined],
  ['later, where the living Machine was to be looked at sooner', 45, 5],
  ['later, where the living Machine was to be looked at later', 45, 3_600],
])('a cold instance asks a provider again when that has said: %s', async (_, asksFor, livingAskedFor) => {
  const world = await whoAsksFor(asksFor, livingAskedFor);
  expect(await askedBySecond(world, asksFor)).toEqual([asksFor]);
});

test.each([
  ['later', 3_600],
  ['sooner', 25],
])(
  'where the first step is lost a cold instance takes it 30 s later, when what the living Machine had asked for is %s',
  async (_, livingAskedFor) => {
    const world = anOriginalWorld();
    await world.env.store.schedule({ machine, at: after(10 + livingAskedFor), failures: 0 });
    world.cloud.next('delete', () => new Promise<never>(() => undefined));
    void reconcilePhase(world.env, infrastructure, first);
    await new Promise((resolve) => setImmediate(resolve));
    expect(world.cloud.asked).toEqual(['delete m-1']);
    expect(await askedBySecond(world, 35)).toEqual([30]);
  },
);

test('what a living Machine is given as its next look, after its deletion has begun, does not bring the provider’s forward', async () => {
  const world = await whoAsksFor(45);
  await world.env.store.schedule({ machine, at: after(15), failures: 0 });
  expect(await askedBySecond(world, 45)).toEqual([45]);
});
