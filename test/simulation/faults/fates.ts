import { createRandom } from '../random.ts';
import { World } from '../world.ts';
import { machinery } from './machinery.ts';
import { smallWorld } from './small-world.ts';

const seeds = Array.from({ length: 16 }, (_, seed) => seed);

/**
 * The fates of things of these kinds in some worlds that a fault strikes. `fateOf` answers in words, or with undefined
 * where a thing has none.
 */
export async function fatesBy(
  fault: string,
  kinds: readonly string[],
  fateOf: (world: World, kind: string) => string | undefined,
): Promise<Record<string, string[]>> {
  const fates = new Map<string, Set<string>>();
  const look = (world: World, kind: string): void => {
    const fate = fateOf(world, kind);
    if (fate !== undefined) fates.set(fate, (fates.get(fate) ?? new Set()).add(kind));
  };
  for (const seed of seeds) {
    const world = struck(fault, seed);
    for (let time = 0; time < 50; time += 1) {
      for (const kind of kinds) look(world, kind);
      await world.scheduler.run(world.now() + 100);
    }
    world.end();
  }
  return Object.fromEntries([...fates].map(([fate, all]) => [fate, [...all].toSorted()]));
}

function struck(name: string, seed: number): World {
  const random = createRandom(seed);
  const world = new World({ workloads: ['blue'], instances: 0, config: {}, latencyMilliseconds: 1, random });
  const fault = machinery.find((each) => each.name === name);
  if (fault === undefined) throw new Error(`no fault ${name}`);
  fault.strike({ world, scenario: smallWorld(random), random: random.fork('fault'), lasts: 5_000 });
  return world;
}

/** As tables have them: each of these becomes of these kinds. */
export const anyhow = (kinds: readonly string[], ...fates: string[]): Record<string, readonly string[]> =>
  Object.fromEntries(fates.map((fate) => [fate, kinds]));

/** As they are found. */
export const sorted = (fates: Record<string, readonly string[]>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(fates).map(([fate, kinds]) => [fate, kinds.toSorted()]));
