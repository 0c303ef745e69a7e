import type { CloudEvent } from './event.ts';

export const hopsExtension = 'knativebrokerttl';
const initialHops = 255;

/**
 * How many hops through the Broker an arriving event has left: 255 for a new one, one less with each reply; at 0 it is
 * refused, which is what ends a function that answers its own event type.
 */
export function hopsLeft({ attributes }: CloudEvent): number {
  const carried = attributes[hopsExtension];
  if (carried === undefined || !/^[+-]?\d+$/.test(carried)) return initialHops;
  return Math.max(Number(carried) - 1, 0);
}
