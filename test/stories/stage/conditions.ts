/** What goes wrong around a story, beside what it tells of itself. */
export interface Conditions {
  /** Only what a sweep asks for arrives: no change, no reply, no wake-up's command. */
  losesEvents?: boolean;
  /** Every event arrives so many times. */
  repeats?: number;
  /** Each event takes up to so many milliseconds, so that they overtake one another. */
  delayMilliseconds?: number;
  /** False: nothing is watched for, only events and ticks make a step. */
  wakeUps?: boolean;
  instances?: number;
  /** All instances go, with all their memory, after every event that was handled. */
  restarts?: boolean;
  /** The instance dies after its request of this number was answered, and before it learns of it. */
  diesAfterRequest?: number;
  storeIsDown?: boolean;
  /** Each request to an API server takes up to so many milliseconds. */
  latencyMilliseconds?: number;
  /** Other random numbers for all of this. */
  seed?: number;
}

/** Numbers in [0, 1) that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Plays seeds until one fails, 60 from 1 on, or SEEDS from SEED on; which one failed, and why. */
export async function firstFailure(play: (seed: number) => Promise<unknown>): Promise<string | undefined> {
  const first = Number(process.env['SEED'] ?? 1);
  const count = Number(process.env['SEEDS'] ?? 60);
  for (let seed = first; seed < first + count; seed += 1) {
    const failed = await play(seed).then(
      () => undefined,
      (error: unknown) => `seed ${seed}: ${String(error)}`,
    );
    if (failed !== undefined) return failed;
  }
  return undefined;
}
