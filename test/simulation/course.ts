import type { Scenario } from './scenario/model.ts';
import type { World } from './world.ts';

/** How long a deletion may take at most when nothing goes wrong and nothing holds it. */
const boundMilliseconds = 20 * 60_000;
/**
 * The most events of a world that comes to rest: so many for each Machine, second and fault that struck. Two instances
 * that handle one event, or a lost answer, start its work again, with all that follows. The most seen is seven events
 * for each fault.
 */
const maxEvents = { perMachine: 5_000, perSecond: 100, perHit: 10 };
/** How often it is looked whether what is waited for has come. */
const lookMilliseconds = 1_000;

/** How time goes by in a run. Nothing goes on once something was violated. */
export interface Course {
  world: World;
  scenario: Scenario;
  isOver: () => boolean;
  pass: (milliseconds: number) => Promise<void>;
  /** Gives up after the longest that a deletion may take. */
  passUntil: (isSo: () => boolean) => Promise<void>;
}

export function courseOf(world: World, scenario: Scenario): Course {
  const isOver = (): boolean => {
    if (world.violations.length > 0) return true;
    if (!isRestless(world, scenario)) return false;
    world.violate('a world comes to rest', `${world.scheduler.steps} events`);
    return true;
  };
  const pass = (milliseconds: number): Promise<void> =>
    world.scheduler.run(world.now() + milliseconds, isOver);
  const passUntil = async (isSo: () => boolean): Promise<void> => {
    const latest = world.now() + boundMilliseconds;
    while (!isOver() && !isSo() && world.now() < latest) await pass(lookMilliseconds);
  };
  return { world, scenario, isOver, pass, passUntil };
}

function isRestless(world: World, { machines, others = [] }: Scenario): boolean {
  const seconds = (world.now() - world.began) / 1_000;
  const { perMachine, perSecond, perHit } = maxEvents;
  const most = perMachine * (machines.length + others.length) + perSecond * seconds + perHit * world.hits;
  return world.began > 0 && world.scheduler.steps > most;
}
