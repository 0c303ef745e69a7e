import { describe, expect, it, test } from 'vitest';
import { createRandom } from '../random.ts';
import { World } from '../world.ts';
import type { Exchange } from '../wire/exchange.ts';
import { smallWorld } from './small-world.ts';
import { anyCourse, atMoments, type Course, spells } from './spells.ts';

const lasts = 60_000;

/** At which of many occasions, one each 100 ms, it may go wrong, and with which share. */
function struck(seed: number, course: Course): { at: number; share: number }[] {
  const spellAt = spells(createRandom(seed), lasts, [course]);
  const occasions = Array.from({ length: lasts / 100 }, (_, index) => index * 100);
  return occasions.flatMap((at) => {
    const spell = spellAt(at);
    return spell === undefined ? [] : [{ at, share: spell.share }];
  });
}

const seeds = Array.from({ length: 50 }, (_, seed) => seed);

describe('something goes wrong', () => {
  test.each(anyCourse)('%s: once for certain, wherever there are sixty occasions', (course) => {
    for (const seed of seeds) expect(struck(seed, course)).not.toEqual([]);
  });

  it('in the same way with the same seed', () => {
    for (const course of anyCourse) expect(struck(3, course)).toEqual(struck(3, course));
  });

  it('now and then: any time, and only once for certain', () => {
    for (const seed of seeds) {
      const all = struck(seed, 'now and then');
      expect(all).toHaveLength(lasts / 100);
      expect(all.filter(({ share }) => share === 1)).toHaveLength(1);
    }
  });

  it('in bursts: often, and not for most of the time', () => {
    const all = seeds.flatMap((seed) => struck(seed, 'in bursts'));
    expect(all.every(({ share }) => share >= 0.3)).toBe(true);
    expect(all.length).toBeLessThan((seeds.length * lasts) / 100 / 2);
  });

  it('for long: without a break, for a quarter of the time or more, or until it is over', () => {
    for (const seed of seeds) {
      const times = struck(seed, 'for long').map(({ at }) => at);
      const [first = 0, last = 0] = [times[0], times.at(-1)];
      expect(times).toHaveLength((last - first) / 100 + 1);
      expect(last === lasts - 100 || last - first >= lasts / 4 - 100).toBe(true);
    }
  });
});

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
