import { find } from '../condition-list.ts';
import { conditionsSaid } from './said.ts';
import type { Report } from '../../decision.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Place } from '../dialect.ts';

/** What is said of each, in v1beta2 and in v1beta1. */
const typesOf: Record<Place, readonly string[]> = {
  infrastructure: ['InfrastructureReady'],
  bootstrap: ['BootstrapConfigReady', 'BootstrapReady'],
  node: ['NodeHealthy'],
};

const places: readonly Place[] = ['infrastructure', 'bootstrap', 'node'];
const longWaits: readonly string[] = ['WaitingForPreDrainHook', 'WaitingForPreTerminateHook'];

/**
 * What a status with this report should know of, although the step had no need of it: whatever was never said; a Node
 * that could not be seen before; and everything when a wait for hooks begins, which looks at nothing and may last.
 */
export function worthSeeing(machine: Machine, { reason }: Report): Place[] {
  const said = conditionsSaid(machine);
  if (longWaits.includes(reason) && find(said, 'Deleting')?.reason !== reason) return [...places];
  return places.filter((place) => {
    const known = said.filter(({ type }) => typesOf[place].includes(type));
    return known.length === 0 || known.some((condition) => condition.reason === 'ConnectionDown');
  });
}
