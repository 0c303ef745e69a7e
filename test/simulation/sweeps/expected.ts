import type { Found } from './part.ts';
import type { SweepName } from './sweep.ts';

/** What a sweep finds, and nobody could do anything about. */
interface Expected {
  sweep: SweepName;
  what: RegExp;
  violated: RegExp;
  because: string;
}

/** API servers promise the latest state to whoever asks as phaseout does. These follow when one breaks its word. */
export const expected: readonly Expected[] = [];

/** Undefined for what should not be. */
export const whyExpected = (sweep: SweepName, { what, violated }: Found): string | undefined =>
  expected.find((one) => one.sweep === sweep && one.what.test(what) && one.violated.test(violated))?.because;
