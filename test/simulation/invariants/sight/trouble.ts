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

/** Why an instance does not do what it is asked for, where it is configured to serve less than is asked of it. */
const unserved = ['timed-out', 'too-many'];

/**
 * `forget` is called each time, for what must not be judged by what was before. Requests that an instance does not serve
 * are trouble, too: what they were about comes again later, or with the next look.
 */
export function watchTrouble(world: World, forget?: () => void): Trouble {
  let isStruck = false;
  let calmAt = Infinity;
  let unservedAt = -Infinity;
  const hit = (): void => {
    isStruck = true;
    forget?.();
  };
  world.observers.push({
    logged(_instance, _level, _message, fields) {
      if (!('failure' in fields) || !unserved.includes(String(fields.failure))) return;
      unservedAt = world.now();
      hit();
    },
  });
  return {
    hit,
    calm() {
      calmAt = world.now();
    },
    hasBeen: () => isStruck,
    isOver: () => !isStruck || world.now() - Math.max(calmAt, unservedAt) > aftermathMilliseconds,
  };
}
