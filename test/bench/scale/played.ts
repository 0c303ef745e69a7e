import { play } from './play.ts';
import { type Result, resultOf } from './result.ts';
import type { Setting } from './setting.ts';

interface Outcome {
  result: Result;
  complaints: readonly string[];
}

/** What a test is told of a run. */
export async function played(setting: Setting): Promise<Outcome> {
  const run = await play(setting);
  const { complaints } = run.world;
  const result = resultOf(run, undefined);
  run.world.end();
  return { result, complaints };
}

/**
 * As it was measured: all in one process. On 2026-11-28 all took twice as long there as the constants say. 50 Machines of
 * 20 Pods took 27 to 30 s beside. The API server had 25 to 28 CPU s of it.
 */
export const asMeasured = {
  instances: 1,
  plane: 'process',
  slowLists: false,
  without: [],
  slowness: 2,
  seed: 1,
} as const satisfies Partial<Setting>;
