import type { World } from '../world.ts';

/** One way in which something can go wrong. */
export interface Way {
  /** A few words that tell it from the other ways of the same occasion. */
  way: string;
}

/**
 * Called at each occasion, in their order, with the ways in which it can go wrong. Answers with the way that strikes
 * now, most often none.
 */
export type Ask = <W extends Way>(what: string, ways: () => readonly W[]) => W | undefined;

/** One kind of things that are made to go wrong, one at a time. */
export interface Sweep {
  name: SweepName;
  /** One sentence for people. */
  about: string;
  /** Looks for occasions from now on. */
  watch: (world: World, ask: Ask) => void;
}

export const sweepNames = ['crash', 'events', 'stale', 'refuse'] as const;
export type SweepName = (typeof sweepNames)[number];

/** The occasion that is struck, counted from 0, and how. */
export interface Point extends Way {
  occasion: number;
  what: string;
}

/** Writes down all there is. */
export function recording(points: Point[]): Ask {
  let occasion = 0;
  return (what, ways) => {
    for (const { way } of ways()) points.push({ occasion, what, way });
    occasion += 1;
    return undefined;
  };
}

/** Lets one thing go wrong. Throws where the run is another one than the one that was recorded. */
export function striking(point: Point, struck: () => void): Ask {
  let occasion = 0;
  return (what, ways) => {
    occasion += 1;
    if (occasion - 1 !== point.occasion) return undefined;
    const found = ways().find(({ way }) => way === point.way);
    if (what !== point.what || found === undefined)
      throw new Error(`${point.what} (${point.way}) was to be struck, and there is ${what}`);
    struck();
    return found;
  };
}

/** Sources have strands and wires too. */
export const isOfInstance = (name: string): boolean => name.startsWith('instance-');
