import type { Clock, Stopwatch } from '../clock.ts';

/** What is read now and then, and not for every use. */
interface KeptReading<T> {
  /** As last read, also while that is under way; rejects as the read does. A failed read is not kept. */
  current(): Promise<T>;
  /** The next use reads again. */
  forget(): void;
}

/** Reads anew once the last read was begun so many milliseconds ago. */
export function keptReading<T>(
  clock: Pick<Clock, 'stopwatch'>,
  milliseconds: number,
  read: () => Promise<T>,
): KeptReading<T> {
  let kept: { reading: Promise<T>; age: Stopwatch } | undefined;

  return {
    current() {
      if (kept !== undefined && kept.age() < milliseconds) return kept.reading;
      const age = clock.stopwatch();
      const reading = read();
      const mine = { reading, age };
      kept = mine;
      reading.catch(() => {
        if (kept === mine) kept = undefined;
      });
      return reading;
    },
    forget() {
      kept = undefined;
    },
  };
}
