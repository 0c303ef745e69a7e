import type { Observer } from '../observer.ts';
import type { Scenario } from '../scenario/model.ts';
import { type Outcome, simulate } from '../simulate.ts';
import type { World } from '../world.ts';
import { crash } from './kinds/crash.ts';
import { events } from './kinds/events.ts';
import { refuse } from './kinds/refuse.ts';
import { stale } from './kinds/stale.ts';
import type { Story } from './story.ts';
import { type Ask, type Point, recording, striking, type Sweep, type SweepName } from './sweep.ts';

export const sweeps: Readonly<Record<SweepName, Sweep>> = { crash, events, stale, refuse };

type Watching = (world: World, scenario: Scenario) => Observer;

/** All that can be made to go wrong in a story, one at a time, in the order in which it comes, and its outcome as it is. */
export async function played(
  story: Story,
  sweep: Sweep,
  observers: readonly Watching[] = [],
): Promise<{ points: readonly Point[]; outcome: Outcome }> {
  const points: Point[] = [];
  const outcome = await play(story, sweep, recording(points), observers);
  return { points, outcome };
}

/** Plays a story in which this one thing goes wrong. */
export async function strike(
  story: Story,
  sweep: Sweep,
  point: Point,
  observers: readonly Watching[] = [],
): Promise<Outcome> {
  let isStruck = false;
  const ask = striking(point, () => {
    isStruck = true;
  });
  const outcome = await play(story, sweep, ask, observers);
  if (isStruck) return outcome;
  return { ...outcome, violations: [`the sweep: ${point.what} did not come`, ...outcome.violations] };
}

const play = (story: Story, sweep: Sweep, ask: Ask, observers: readonly Watching[] = []): Promise<Outcome> =>
  simulate(story.seed, {
    scenario: (random) => story.scenario(random),
    always: true,
    faults: [
      {
        name: sweep.name,
        about: sweep.about,
        strike({ world }) {
          sweep.watch(world, ask);
          return undefined;
        },
      },
    ],
    observers,
  });
