import { causesAreTrue } from '../invariants/causes-are-true.ts';
import { drainLeavesNothing } from '../invariants/drain-leaves-nothing.ts';
import { drainedToTheEnd } from '../invariants/drained-to-the-end.ts';
import { evictedOnce } from '../invariants/evicted-once.ts';
import type { Invariant } from '../invariants/invariant.ts';
import { lowerOrdersFirst } from '../invariants/lower-orders-first.ts';
import { nodesAreGoing } from '../invariants/nodes-are-going.ts';
import { nodesThatStay } from '../invariants/nodes-that-stay.ts';
import { objectsAreGone } from '../invariants/objects-are-gone.ts';
import { podsThatStay } from '../invariants/pods-that-stay.ts';
import { volumesComeOff } from '../invariants/volumes-come-off.ts';
import { writesChangeSomething } from '../invariants/writes-change-something.ts';
import type { Found } from './part.ts';
import type { SweepName } from './sweep.ts';

/** A finding of a sweep that no code could prevent. */
interface Expected {
  sweep: SweepName;
  what: RegExp;
  /** What rests on a reading of this, and so fails with it. */
  violated: readonly Invariant[];
  /** Only with these words; with any unless given. */
  by?: RegExp;
  because: string;
}

const absent =
  'That something is absent is said without a version: nobody can tell it from the time before it was made.';
const first = 'Who has seen nothing of a resource has nothing to compare the version of its list with.';

/** `resource`: its plural, with its group if that matters. */
const ofAbsent = (resource: string, ...violated: Invariant[]): Expected => ({
  sweep: 'stale',
  what: new RegExp(`^get ${resource}\\S* .*, when it was not there$`),
  violated,
  because: absent,
});

const ofFirst = (resource: string, ...violated: Invariant[]): Expected => ({
  sweep: 'stale',
  what: new RegExp(`^list ${resource}\\S* .*, the first of its kind, as `),
  violated,
  because: first,
});

/** API servers promise the latest state to clients that ask as phaseout does. These follow when one breaks its word. */
const expected: readonly Expected[] = [
  ofAbsent('genericinfrastructuremachines', objectsAreGone, causesAreTrue),
  ofAbsent('genericbootstrapconfigs', objectsAreGone),
  ofAbsent('nodes', drainLeavesNothing, drainedToTheEnd, volumesComeOff, nodesAreGoing),
  ofAbsent('daemonsets', podsThatStay),
  ofAbsent('secrets', causesAreTrue),
  ofAbsent('clusters', causesAreTrue, nodesThatStay),
  ofFirst('pods', drainLeavesNothing, drainedToTheEnd, lowerOrdersFirst, evictedOnce),
  ofFirst('machinedrainrules', lowerOrdersFirst, podsThatStay),
  ofFirst('volumeattachments', volumesComeOff),
  {
    sweep: 'stale',
    what: /^get nodes /,
    violated: [writesChangeSomething],
    by: /: \S+ cordons Node /,
    because: 'A Node that is shown as it was before its cordon is cordoned once more, which changes nothing.',
  },
];

/** Undefined for what should not be. */
export const whyExpected = (sweep: SweepName, { what, violated }: Found): string | undefined =>
  expected.find(
    (one) =>
      one.sweep === sweep &&
      one.what.test(what) &&
      one.violated.some(({ name }) => violated.startsWith(`${name}: `)) &&
      (one.by?.test(violated) ?? true),
  )?.because;
