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
const expected: readonly Expected[] = [
  {
    sweep: 'stale',
    what: /^get .*, when it was not there$/,
    violated: /(?:)/,
    because:
      'That something is absent is said without a version: nobody can tell it from the time before it was made.',
  },
  {
    sweep: 'stale',
    what: /^list .*, the first of its kind, as /,
    violated: /(?:)/,
    because: 'Who has seen nothing of a resource has nothing to compare the version of its list with.',
  },
  {
    sweep: 'stale',
    what: /^get nodes /,
    violated: /^nothing is written that changes nothing: \S+ cordons Node /,
    because: 'A Node that is shown as it was before its cordon is cordoned once more, which changes nothing.',
  },
];

/** Undefined for what should not be. */
export const whyExpected = (sweep: SweepName, { what, violated }: Found): string | undefined =>
  expected.find((one) => one.sweep === sweep && one.what.test(what) && one.violated.test(violated))?.because;
