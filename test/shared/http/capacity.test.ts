import { expect, test } from 'vitest';
import { type Flight, takeShare } from '../../../shared/http/app.ts';

const aFlight = (cluster?: string): Flight => ({
  function: 'drain',
  request: 'r',
  since: 0,
  ...(cluster !== undefined && { cluster }),
});

const flightsOf = (count: number, cluster?: string): Flight[] =>
  Array.from({ length: count }, () => aFlight(cluster));

/** How many requests for the cluster of the same name are worked on, where they come without end. */
function taken(most: number, others: readonly Flight[], clusters: readonly string[]): number[] {
  const flights = [...others];
  for (let index = 0; flights.length < most && index < 10 * most; index += 1) {
    const flight = aFlight();
    try {
      takeShare(clusters[index % clusters.length]!, flight, [...flights, flight], most);
      flights.push(flight);
    } catch {
      // It is turned away, and its place is free again.
    }
  }
  return clusters.map((cluster) => flights.filter((flight) => flight.cluster === cluster).length);
}

test.each<[string, most: number, others: Flight[], clusters: string[], expected: number[]]>([
  ['one slow cluster has three quarters of the places', 200, [], ['red'], [150]],
  ['two have three sevenths each', 200, [], ['red', 'pink'], [86, 85]],
  ['four leave some places', 200, [], ['red', 'pink', 'rose', 'ruby'], [46, 46, 46, 46]],
  ['what is taken by others counts for nobody', 200, flightsOf(40), ['red'], [120]],
  ['of five places one is left', 5, [], ['red'], [4]],
  ['of two places one is left', 2, [], ['red'], [1]],
  ['who has nothing may take the only place', 1, [], ['red'], [1]],
  ['who has nothing may take the last place', 20, flightsOf(19, 'blue'), ['red'], [1]],
])('%s', (_, most, others, clusters, expected) => {
  expect(taken(most, others, clusters)).toEqual(expected);
});

test('where any number may be worked on nobody is turned away', () => {
  const flight = aFlight();
  takeShare('red', flight, flightsOf(1_000, 'red'), Number.POSITIVE_INFINITY);
  expect(flight.cluster).toBe('red');
});

test('a request that is counted already is not counted again', () => {
  const flights = flightsOf(150, 'red');
  expect(() => takeShare('red', flights[0]!, flights, 150)).not.toThrow();
});

test('who is turned away is told whose share it is, and is not counted', () => {
  const flight = aFlight();
  const flights = [...flightsOf(150, 'fleet/red'), flight];
  expect(() => takeShare('fleet/red', flight, flights, 200)).toThrow(
    '150 requests are being worked on, which is the share of workload cluster fleet/red (PHASEOUT_REQUESTS_IN_FLIGHT)',
  );
  expect(flight.cluster).toBeUndefined();
});
