import type { Observer } from '../../observer.ts';
import type { World } from '../../world.ts';

/** Judges when all is over, unless it came to no quiet end, or something was violated before. */
export function atTheEnd(world: World, judge: () => void): Required<Pick<Observer, 'quiet' | 'ended'>> {
  let isQuiet = false;
  return {
    quiet() {
      isQuiet = true;
    },
    ended() {
      if (isQuiet && world.violations.length === 0) judge();
    },
  };
}
