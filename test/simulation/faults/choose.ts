import type { Fault } from './fault.ts';
import { faults } from './index.ts';

/** Those that may strike: all of them, or those that are named, without those that are taken out. */
export const chosenFaults = ({
  only,
  without = [],
}: {
  only?: readonly string[] | undefined;
  without?: readonly string[];
}): readonly Fault[] =>
  faults.filter(({ name }) => (only === undefined || only.includes(name)) && !without.includes(name));
