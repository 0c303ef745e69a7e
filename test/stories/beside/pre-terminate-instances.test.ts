import { describe, expect, it } from 'vitest';
import { annotatedHooks } from '../../../shared/dialects/beside/hook.ts';
import type { BesideFleet } from '../stage/beside/fleet.ts';
import { hookDefinitions } from '../stage/hook-definitions.ts';
import { besidePeer } from '../stage/story.ts';

const names = ['worker-1', 'worker-2', 'worker-3'];
const done = { state: 'Done', message: 'wiped' } as const;

const threeWorkers = (hooks: readonly object[]) => ({
  beside: hookDefinitions,
  scene(fleet: BesideFleet) {
    fleet.cluster();
    for (const name of names) {
      fleet.held(name);
      fleet.pod(name.replace('worker', 'web'), name.replace('worker', 'node'));
    }
    for (const [index, spec] of hooks.entries()) fleet.deletionHook(`wipe-${index}`, spec);
    fleet.hookFunctions.serve('wipe-0', ({ attempt }) => (attempt < 3 ? { state: 'Working' } : done));
  },
  async plot(fleet: BesideFleet) {
    if (hooks.length > 0)
      await fleet.until('all have the hook', () => names.every((name) => fleet.isHeldToTheEnd(name)));
    for (const name of names) fleet.delete(name);
    for (const name of names) await fleet.gone(name);
    // Each function has said Done once, and no more than that was asked for.
    const calls = new Set(fleet.hookFunctions.calls.map(({ id }) => id));
    expect(calls.size).toBe(hooks.length * names.length * 3);
  },
});

const slow = { latencyMilliseconds: 40, delayMilliseconds: 60 };

describe('five instances beside the peer', () => {
  it.each([1, 2, 3])('ask each function once in its time, with random numbers of %i', async (seed) => {
    const { text } = await besidePeer.play(threeWorkers([{ at: 'PreTerminate' }]), {
      ...slow,
      instances: 5,
      seed,
    });
    expect(text).toContain('call 3 of fleet/wipe-0 at PreTerminate; it answers Done');
  });
});

const requestsOf = async (beside: typeof hookDefinitions): Promise<Record<string, number>> =>
  (await besidePeer.play({ ...threeWorkers([]), beside }, {})).requests;

describe('where no DeletionHook asks before the end of a server', () => {
  it('only lists of DeletionHooks are more than without their kind', async () => {
    const { 'list deletionhooks.phaseout.dev': lists = 0, ...served } = await requestsOf(hookDefinitions);
    expect(served).toEqual(await requestsOf([]));
    expect(lists).toBeGreaterThan(0);
  });

  it('nothing on a Machine tells of our second hook', async () => {
    const { text } = await besidePeer.play(threeWorkers([]), {});
    expect(text).not.toContain(annotatedHooks('').PreTerminate.name);
    expect(text).not.toContain('pre-terminate');
  });
});
