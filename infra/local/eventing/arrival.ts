import type { Instant } from '../../../shared/time/clock.ts';
import { type CloudEvent, eventProblem, withAttributes } from './event.ts';

export const hopsExtension = 'knativebrokerttl';
const initialHops = 255;

export type Arrival = { kind: 'taken'; event: CloudEvent } | { kind: 'refused'; problem: string };

/** What the ingress makes of an event: marked with its time of arrival and the hops it has left, or refused. */
export function arrive(event: CloudEvent, now: Instant): Arrival {
  const hops = hopsLeft(event);
  const problem = eventProblem(event) ?? (hops === 0 ? `${hopsExtension}: no hops are left` : undefined);
  if (problem !== undefined) return { kind: 'refused', problem };

  const marks = { [hopsExtension]: String(hops), knativearrivaltime: new Date(now).toISOString() };
  return { kind: 'taken', event: withAttributes(event, marks) };
}

/**
 * How many hops through the Broker an arriving event has left: 255 for a new one, one less with each reply; at 0 it is
 * refused, which is what ends a function that answers its own event type.
 */
function hopsLeft({ attributes }: CloudEvent): number {
  const carried = attributes[hopsExtension];
  if (carried === undefined || !/^[+-]?\d+$/.test(carried)) return initialHops;
  return Math.max(Number(carried) - 1, 0);
}
