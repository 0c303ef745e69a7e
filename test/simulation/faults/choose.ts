import type { Fault } from './fault.ts';
import { faults, switches } from './index.ts';

/** Those that may strike: all of them, or those that are named, without those that are taken out. */
export const chosenFaults = ({
  only,
  without = [],
}: {
  only?: readonly string[] | undefined;
  without?: readonly string[];
}): readonly Fault[] => {
  const named = only === undefined ? faults : switches.filter(({ name }) => only.includes(name));
  return named.filter(({ name }) => !without.includes(name));
};
