import { describe, expect, test } from 'vitest';
import { sweep } from '../../../functions/sweep.ts';
import { after } from '../dialects/capi/machines.ts';
import { aLivingOriginal } from '../dialects/v1alpha1/machines.ts';
import { anOriginalWorld, type OriginalWorld } from '../dialects/v1alpha1/world.ts';

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
