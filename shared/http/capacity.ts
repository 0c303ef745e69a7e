import type { Instant } from '../time/clock.ts';
import { TooManyRequests } from './failures.ts';

/** Who has no more than so many times what is free may take one more. */
const timesWhatIsFree = 3;

/**
 * Counts a request that was taken in for a workload cluster. One that answers slowly would otherwise take all places, and
 * no Machine of another would have its turn: so it gets three quarters of them, two get three sevenths each, and however
 * many they are there is room for who is quick. Throws TooManyRequests where it has its share.
 */
export function takeShare(cluster: string, flight: Flight, flights: readonly Flight[], most: number): void {
  if (flight.cluster === cluster) return;
  const taken = flights.filter((each) => each.cluster === cluster).length;
  if (taken > timesWhatIsFree * (most - flights.length)) throw new TooManyRequests(taken, cluster);
  flight.cluster = cluster;
}

/** A request that was taken in and is not answered yet. */
export interface Flight {
  function: string;
  request: string;
  since: Instant;
  /** The workload cluster that it may have to wait for, once that is known. */
  cluster?: string;
}
