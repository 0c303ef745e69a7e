import { usualTicks } from '../platform/declared.ts';
import type { Invariant } from './invariant.ts';
import { judgingCheckpoints } from './sight/judging.ts';
import { limitedSteps, limitOf, limitsOfSteps } from './sight/limits.ts';
import { watchTrouble } from './sight/trouble.ts';
import { witnessOf } from './sight/witness.ts';

/** For the look that finds it over: the requests of a step, and the way of its event. */
const lookMilliseconds = 15_000;

const limits = { ...limitsOfSteps, node: 'node' } as const;
const limited = [...limitedSteps, 'node'] as const;

/**
 * A drain or a detachment that completes late is complete all the same. A Node deleted so late was tried for too long.
 */
function endOf(phase: (typeof limited)[number], how: string | undefined): string | undefined {
  if (how === 'timed-out') return 'timed out';
  return phase === 'node' && how === 'done' ? 'been done' : undefined;
}

interface Stretch {
  since: number;
  /** The last time. A deletion that comes back to a phase whose time is over finds it over by then. */
  entered: number;
}

/**
 * Phaseout waits no longer than users allow. A waiting instance looks again when the time is over, or at the next tick
 * after that.
 */
export const limitsEndInTime: Invariant = {
  name: 'a time limit ends a phase soon after its time',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const { dueSeconds = usualTicks.dueSeconds } = scenario.world;
    const allowed = dueSeconds * 1_000 + lookMilliseconds;
    const began = new Map<string, Stretch>();
    const trouble = watchTrouble(world, () => began.clear());
    const judge = judgingCheckpoints(
      witness,
      ({ machine, before, after, newlyPassed }) => {
        const { uid = '' } = machine.metadata;
        const now = world.now();
        const entered = began.get(`${uid} ${after.phase}`);
        if (entered === undefined && trouble.isOver())
          began.set(`${uid} ${after.phase}`, { since: now, entered: now });
        if (entered !== undefined && before?.phase !== after.phase) entered.entered = now;
        for (const phase of limited) {
          const stretch = began.get(`${uid} ${phase}`);
          const limit = limitOf(machine, limits[phase]) * 1_000;
          const ended = endOf(phase, newlyPassed.get(phase));
          if (ended === undefined || stretch === undefined || limit === 0) continue;
          // It was come to and passed in this very step.
          if (before?.phase !== phase) stretch.entered = now;
          const late = now - Math.max(stretch.since + limit, stretch.entered);
          if (late > allowed) return `${phase} has ${ended} ${Math.round(late / 1_000)} s after its time`;
        }
        return undefined;
      },
      violated,
    );
    return { ...judge, hit: trouble.hit, calm: trouble.calm };
  },
};
