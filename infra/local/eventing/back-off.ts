import type { Clock, Instant } from '../../../shared/time/clock.ts';

const firstMilliseconds = 800;
const longestMilliseconds = 30_000;
const quietMilliseconds = 120_000;

/** Pauses that double from 0.8 s to 30 s, each up to twice as long by chance, and start again after 2 quiet minutes. */
export function createBackOff(clock: Clock, random: () => number): () => number {
  let milliseconds = firstMilliseconds;
  let asked: Instant = clock.now();

  return () => {
    const now = clock.now();
    if (now - asked > quietMilliseconds) milliseconds = firstMilliseconds;
    asked = now;
    const chosen = milliseconds * (1 + random());
    milliseconds = Math.min(milliseconds * 2, longestMilliseconds);
    return chosen;
  };
}
