import { describe, expect, test } from 'vitest';
import { sweep } from '../../../functions/sweep.ts';
import type { Existence } from '../../../shared/actuator/port.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { after } from '../../builders/cluster-api.ts';
import { aLivingOriginal } from '../../builders/v1alpha1.ts';
import { anOriginalWorld, type OriginalWorld } from '../../builders/v1alpha1-world.ts';

const ref = (name: string) => ({
  apiVersion: 'cluster.k8s.io/v1alpha1',
  namespace: 'default',
  name,
  uid: name === 'm-1' ? 'uid-1' : `uid-${name}`,
});
const never = () => new Promise<never>(() => undefined);
const dueNames = async ({ env }: OriginalWorld) =>
  (await env.store.due(after(10), 100)).map(({ machine }) => machine.name);

/** So many living Machines have been due for longer than `m-1`, which is being deleted. */
async function aWorldOfLiving(number: number): Promise<OriginalWorld> {
  const world = anOriginalWorld();
  for (let index = 0; index < number; index += 1) {
    const name = `living-${index}`;
    world.management.put('machines', aLivingOriginal({ metadata: { name, uid: `uid-${name}` } }));
    await world.env.store.schedule({ machine: ref(name), at: after(1), failures: 3 });
  }
  await world.env.store.schedule({ machine: ref('m-1'), at: after(5), failures: 0 });
  return world;
}

/** Every time is over as soon as all that is answered has been. Answers with how long they were to be. */
function withoutPatience({ env }: OriginalWorld): number[] {
  const limits: number[] = [];
  env.clock = {
    ...env.clock,
    after(milliseconds, run) {
      limits.push(milliseconds);
      setImmediate(run);
      return () => undefined;
    },
  };
  return limits;
}

const swept = async ({ env }: OriginalWorld) => (await sweep(env, 'due')).map(({ machine }) => machine.name);

describe('living Machines that are due', () => {
  test.each([15, 16, 40])(
    'keep no deletion from its look where the provider hangs for %i',
    async (number) => {
      const world = await aWorldOfLiving(number);
      world.cloud.next('exists', ...Array.from({ length: number }, () => never));
      withoutPatience(world);
      expect(await swept(world)).toEqual(['m-1']);
    },
  );

  test('get what is left of 20 seconds once all deletions have been looked at', async () => {
    const world = await aWorldOfLiving(1);
    const limits = withoutPatience(world);
    world.management.on('get machines/default/m-1', () => void (world.time.now += 8_000));
    await swept(world);
    expect(limits).toEqual([20_000, 12_000]);
    expect(world.cloud.asked).toEqual(['exists living-0', 'create living-0']);
  });

  test('stay due where nothing is left of them', async () => {
    const world = await aWorldOfLiving(1);
    world.management.on('get machines/default/m-1', () => void (world.time.now += 20_000));
    expect(await swept(world)).toEqual(['m-1']);
    expect(world.cloud.asked).toEqual([]);
    expect(await dueNames(world)).toEqual(['living-0']);
    await swept(world);
    expect(world.cloud.asked).toEqual(['exists living-0', 'create living-0']);
  });

  test('are asked for where they turn out to be deleted', async () => {
    const world = await aWorldOfLiving(1);
    world.cloud.next('exists', () =>
      world.management.change('machines/default/living-0', {
        metadata: { deletionTimestamp: '2026-01-01T12:00:05Z' },
      }),
    );
    expect(await swept(world)).toEqual(['m-1', 'living-0']);
  });
});

const living = 'living-0';
const aLook = { machine: ref(living), at: after(1), failures: 3 };
const dueLater = ({ env }: OriginalWorld) => env.store.due(after(100_000), 10);
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The one Machine there is lives and is due, and its provider answers when it is told to. */
async function aSlowProvider() {
  const world = await aWorldOfLiving(1);
  await world.env.store.unschedule('uid-1');
  const { promise, resolve, reject } = Promise.withResolvers<Existence>();
  world.cloud.next('exists', () => promise);
  return { world, answer: resolve, fail: () => reject(new Unavailable('no answer within 20 s')) };
}

describe('a tick that comes while a slow provider is asked about a living Machine', () => {
  test.each<[string, (world: OriginalWorld) => OriginalWorld['env']]>([
    ['that asks', ({ env }) => env],
    ['of the others', (world) => world.another()],
  ])('does not ask it again when it has failed, in the instance %s', async (_which, instance) => {
    const { world, fail } = await aSlowProvider();
    const sweeps = [sweep(world.env, 'due')];
    for (let tick = 0; tick < 3; tick += 1) {
      await settled();
      world.time.now += 5_000;
      sweeps.push(sweep(instance(world), 'due'));
    }
    await settled();
    world.time.now += 5_000;
    fail();
    await Promise.all(sweeps);
    expect(world.cloud.asked).toEqual(['exists living-0']);
    expect(await dueLater(world)).toEqual([{ machine: ref(living), at: after(70), failures: 4 }]);
  });

  test('is not the last one, should the instance that asks die of it', async () => {
    const { world } = await aSlowProvider();
    void sweep(world.env, 'due');
    await settled();
    expect(await dueLater(world)).toEqual([{ ...aLook, at: after(70), isProvisional: true }]);
    world.time.now = after(70);
    await sweep(world.another(), 'due');
    expect(world.cloud.asked).toEqual(['exists living-0', 'exists living-0', 'create living-0']);
  });

  test('leaves nothing to come where there is nothing more to ask', async () => {
    const { world, answer } = await aSlowProvider();
    const first = sweep(world.env, 'due');
    await settled();
    world.time.now += 5_000;
    await sweep(world.env, 'due');
    answer({ kind: 'exists' });
    await first;
    expect(world.cloud.asked).toEqual(['exists living-0', 'update living-0']);
    expect(await dueLater(world)).toEqual([]);
  });
});

test('a look that a provider has asked for stays, also at the time to which the one before was put off', async () => {
  const { world, answer } = await aSlowProvider();
  answer({ kind: 'retry', afterSeconds: 60, message: 'busy' });
  await sweep(world.env, 'due');
  expect(await dueLater(world)).toEqual([{ machine: ref(living), at: after(70), failures: 0 }]);
});

test('a look at a living Machine that was taken when the store answered is not taken once more', async () => {
  const { world, fail } = await aSlowProvider();
  fail();
  await sweep(world.env, 'due');
  world.env.store = { ...world.env.store, due: async () => [aLook] };
  await sweep(world.env, 'due');
  expect(world.cloud.asked).toEqual(['exists living-0']);
});
