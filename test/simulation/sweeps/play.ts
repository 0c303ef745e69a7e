import type { Observer } from '../observer.ts';
import type { Scenario } from '../scenario/model.ts';
import { type Outcome, simulate } from '../simulate.ts';
import type { World } from '../world.ts';
import { crash } from './kinds/crash.ts';
import { events } from './kinds/events.ts';
import { refuse } from './kinds/refuse.ts';
import { stale } from './kinds/stale.ts';
import type { Story } from './story.ts';
import {
  type Ask,
  type Point,
  recording,
  type Sweep,
  type SweepName,
  striking,
  sweepNames,
} from './sweep.ts';

export const sweeps: Readonly<Record<SweepName, Sweep>> = { crash, events, stale, refuse };

type Watching = (world: World, scenario: Scenario) => Observer;

/** The points of a story, in their order, where one thing can go wrong. And its outcome if nothing does. */
export interface Played {
  points: Readonly<Record<SweepName, readonly Point[]>>;
  outcome: Outcome;
}

/** Plays a story in which nothing goes wrong. */
export async function played(story: Story, observers: readonly Watching[] = []): Promise<Played> {
  const points: Record<SweepName, Point[]> = { crash: [], events: [], stale: [], refuse: [] };
  const watched = sweepNames.map((name) => ({ sweep: sweeps[name], ask: recording(points[name]) }));
  const outcome = await play(story, watched, observers);
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
  const outcome = await play(story, [{ sweep, ask }], observers);
  if (isStruck) return outcome;
  return { ...outcome, violations: [`the sweep: ${point.what} did not come`, ...outcome.violations] };
}

interface Watched {
  sweep: Sweep;
  ask: Ask;
}

const play = (story: Story, watched: readonly Watched[], observers: readonly Watching[]): Promise<Outcome> =>
  simulate(story.seed, {
    scenario: (random) => story.scenario(random),
    always: true,
    faults: watched.map(({ sweep: { name, about, watch }, ask }) => ({
      name,
      about,
      strike({ world }) {
        watch(world, ask);
        return undefined;
      },
    })),
    observers,
  });
