import { play } from './play.ts';
import type { Setting } from './setting.ts';

/**
 * KiB of the real heap for each Machine that instances hold, with half of the Pods evicted. It includes what is on its
 * way to and from the instances. Undefined without a collector to call (`node --expose-gc`). The cluster and the table
 * do not count: it is what the end of the instances frees.
 */
export async function heldForEachMachine(setting: Setting): Promise<number | undefined> {
  const { gc } = globalThis;
  if (gc === undefined) return undefined;
  const { bytes } = await freedByEnd(setting, () => {
    gc();
    return process.memoryUsage().heapUsed;
  });
  return bytes / 1_024 / setting.machines;
}

/** `remains` has to outlive the second look. */
async function freedByEnd(
  setting: Setting,
  heapUsed: () => number,
): Promise<{ bytes: number; remains: object }> {
  const half = (setting.machines * setting.pods) / 2;
  let world: Awaited<ReturnType<typeof play>>['world'] | undefined = (
    await play(setting, ({ tally }) => tally.evicted >= half)
  ).world;
  const { remains } = world;
  const before = heapUsed();
  world.end();
  world = undefined;
  await new Promise<void>((resolve) => void setImmediate(resolve));
  return { bytes: before - heapUsed(), remains };
}
