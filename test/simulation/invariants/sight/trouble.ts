import type { World } from '../../world.ts';

/** Whoever stands still wakes two minutes after the calm at the latest, and has some things to make up for. */
const aftermathMilliseconds = 180_000;

/** Whether anything has gone wrong that may still make itself felt: a pause or an outage is told of only as it begins. */
export interface Trouble {
  hit: () => void;
  calm: () => void;
  isOver: () => boolean;
  /** Whether anything has gone wrong so far. */
  hasBeen: () => boolean;
}

/** `forget` is called each time, for what must not be judged by what was before. */
export function watchTrouble(world: World, forget?: () => void): Trouble {
  let isStruck = false;
  let calmAt = Infinity;
  return {
    hit() {
      isStruck = true;
      forget?.();
    },
    calm() {
      calmAt = world.now();
    },
    hasBeen: () => isStruck,
    isOver: () => !isStruck || world.now() - calmAt > aftermathMilliseconds,
  };
}
