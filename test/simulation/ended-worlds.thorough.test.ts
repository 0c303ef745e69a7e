import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { simulate } from './simulate.ts';
import type { World } from './world.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Numbers of those that somebody still holds on to. */
async function kept(worlds: ReadonlyMap<number, WeakRef<World>>): Promise<number[]> {
  for (let times = 0; times < 5; times += 1) {
    collect();
    await setImmediate();
  }
  return [...worlds].filter(([, world]) => world.deref() !== undefined).map(([seed]) => seed);
}

// There may be millions of them, one after the other.
test('nothing keeps a world that is over, except for the last one', async () => {
  const worlds = new Map<number, WeakRef<World>>();
  const last = 20;
  for (let seed = 10; seed <= last; seed += 1) {
    const observers = [
      (world: World) => {
        worlds.set(seed, new WeakRef(world));
        return {};
      },
    ];
    await simulate(seed, { observers });
  }
  expect((await kept(worlds)).filter((seed) => seed !== last)).toEqual([]);
});
