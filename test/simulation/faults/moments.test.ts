import { describe, expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import type { Exchange } from '../wire/exchange.ts';
import { World } from '../world.ts';
import { atMoments } from './moments.ts';
import { smallWorld } from './small-world.ts';

const seeds = Array.from({ length: 50 }, (_, seed) => seed);

const checkpoint: Exchange = {
  instance: 'instance-1',
  host: 'management',
  method: 'PATCH',
  verb: 'patch',
  resource: 'machines.cluster.x-k8s.io',
  namespace: 'fleet',
  name: 'm',
  path: '',
  query: {},
  body: { metadata: { annotations: { 'phaseout.dev/checkpoint': '{}' } } },
};

/** When something is done, in milliseconds, at up to four moments, while an instance records something every `every`. */
async function moments(seed: number, every: number): Promise<number[]> {
  const random = createRandom(seed);
  const world = new World({ workloads: [], instances: 0, config: {}, latencyMilliseconds: 1, random });
  const [began, lasting, done] = [world.now(), 2_000, [] as number[]];
  const setting = { world, scenario: smallWorld(random), random: random.fork('fault'), lasts: lasting };
  atMoments(setting, 4, () => done.push(world.now() - began));
  const record = (): void => {
    world.meddlers.request(checkpoint);
    if (world.now() - began + every <= lasting) world.scheduler.after(every, record);
  };
  world.scheduler.after(every, record);
  await world.scheduler.run(began + 10 * lasting);
  world.end();
  return done;
}

describe('a moment', () => {
  it('comes before the calm, however late an instance asks for something', async () => {
    const all = await Promise.all(seeds.map((seed) => moments(seed, 400)));
    expect(all.flat().length).toBeGreaterThan(seeds.length);
    expect(Math.max(...all.flat())).toBeLessThanOrEqual(2_000);
  });

  it('comes at most as often as it may, and in every run in which an instance asks often', async () => {
    const counts = (await Promise.all(seeds.map((seed) => moments(seed, 10)))).map(({ length }) => length);
    expect(counts.filter((count) => count < 1 || count > 4)).toEqual([]);
    expect(new Set(counts)).toEqual(new Set([1, 2, 3, 4]));
  });

  it('is the same with the same seed', async () => {
    expect(await moments(5, 50)).toEqual(await moments(5, 50));
  });
});
