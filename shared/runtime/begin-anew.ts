import type { Turn } from './turn.ts';

/** Older than this nothing is that a step rests on, unless it takes that long to find out. */
export const oldMilliseconds = 30_000;

/** Once in a step, for whoever does not stand still but waits for a slow API would never get to an end. */
export const isToBeginAnew = ({ start }: Turn): boolean => start !== undefined && start() > oldMilliseconds;
