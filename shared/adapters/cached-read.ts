import type { Clock, Stopwatch } from '../time/clock.ts';

/** What is read now and then, and not for every use. */
interface KeptReading<T> {
  /** As last read, also while that is under way; rejects as the read does. A failed read is not kept. */
  current(): Promise<T>;
  /** The next use reads again. */
  forget(): void;
}

/** Long enough for somebody to be asked to log in; a read that hangs must not be waited for for ever. */
const longestMilliseconds = 60_000;

/** Reads again when the last read ended at least this many milliseconds ago. */
export function keptReading<T>(
  clock: Pick<Clock, 'stopwatch'>,
  milliseconds: number,
  read: () => Promise<T>,
): KeptReading<T> {
  let kept: { reading: Promise<T>; age: Stopwatch; isDone: boolean } | undefined;

  return {
    current() {
      if (kept !== undefined && kept.age() < (kept.isDone ? milliseconds : longestMilliseconds))
        return kept.reading;
      const age = clock.stopwatch();
      const reading = read();
      const mine = { reading, age, isDone: false };
      kept = mine;
      reading.then(
        () => Object.assign(mine, { age: clock.stopwatch(), isDone: true }),
        () => {
          if (kept === mine) kept = undefined;
        },
      );
      return reading;
    },
    forget() {
      kept = undefined;
    },
  };
}
