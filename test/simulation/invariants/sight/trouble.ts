import type { World } from '../../world.ts';

/** A paused instance wakes two minutes after the calm at the latest, and has some things to make up for. */
const aftermathMilliseconds = 180_000;

/** Whether a fault may still have effects. `hit` comes only when a pause or an outage begins. */
export interface Trouble {
  hit: () => void;
  calm: () => void;
  isOver: () => boolean;
  /** Whether anything has gone wrong so far. */
  hasBeen: () => boolean;
}

/** Why an instance does not serve a request: its configured limits are below the load. */
const unserved = ['timed-out', 'too-many'];

/**
 * Calls `forget` each time, since later events must not be judged by earlier ones. Requests that an instance does not
 * serve are trouble, too. Their work comes again later, or with the next look.
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
