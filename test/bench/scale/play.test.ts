import { expect, test } from 'vitest';
import { played } from './played.ts';
import type { Setting } from './setting.ts';

const small: Setting = {
  scenario: 'fleet',
  machines: 3,
  pods: 4,
  instances: 2,
  mode: 'beside',
  plane: 'knative',
  slowLists: false,
  without: [],
  slowness: 1,
  seed: 1,
};

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, each) => all + each, 0);

test.each(['beside', 'replace'] as const)('every Machine goes, and all counts agree (%s)', async (mode) => {
  const { result, complaints } = await played({ ...small, mode });

  expect(complaints).toEqual([]);
  expect(result.left).toBe(0);
  expect(result.podsEvicted).toBe(12);
  expect(result.requestsByVerb['evict']).toBe(result.requestsByKind['create pods/eviction']);
  expect(sum(result.requestsByVerb)).toBe(result.requests);
  expect(sum(result.requestsByKind)).toBe(result.requests);
  expect(result.requestsPerMachine).toBe(result.requests / 3);
  expect(result.deletionSeconds.slowest).toBeGreaterThanOrEqual(result.deletionSeconds.median);
  expect(result.givenUp).toBe(0);
});

test('the same numbers come twice', async () => {
  const { result: first } = await played(small);
  const { result: second } = await played(small);

  expect(second).toEqual(first);
});

test('another seed is another run', async () => {
  const { result: first } = await played(small);
  const { result: second } = await played({ ...small, seed: 2 });

  expect({ ...second, setting: small }).not.toEqual(first);
});

test('lists that etcd makes slow cost the API server more CPU', async () => {
  const some = { ...small, machines: 10, pods: 10, instances: 1, plane: 'process' } as const;
  const { result: usual } = await played(some);
  const { result: slow } = await played({ ...some, slowLists: true });

  expect(slow.cpuSeconds['API server']).toBeGreaterThan(usual.cpuSeconds['API server'] ?? 0);
});

test('with a mend and without it: two instances evict no Pod twice, phases take fewer requests, and steps take turns', async () => {
  // Beside, Cluster API's own controller writes the Machines too, and conflicts with that come as well.
  const some = { ...small, machines: 12, pods: 6, mode: 'replace' } as const;
  const { result: mended } = await played(some);
  const { result: unclaimed } = await played({ ...some, without: ['claims'] });
  const { result: unpassed } = await played({ ...some, without: ['passing'] });

  expect([mended.podsEvictedTwice, unclaimed.podsEvictedTwice > 0]).toEqual([0, true]);
  expect(mended.conflicts).toBe(0);
  expect(unpassed.requests).toBeGreaterThan(mended.requests);
});

test('with turns fewer steps are under way at once than without', async () => {
  const many = { ...small, machines: 60, pods: 6, instances: 1 };
  const { result: inTurn } = await played(many);
  const { result: atOnce } = await played({ ...many, without: ['turns'] });

  expect(inTurn.mostInFlight).toBeLessThan(atOnce.mostInFlight);
  expect(inTurn.requests).toBeLessThanOrEqual(atOnce.requests);
});

test.each([
  { machines: 1, pods: 30, most: 56 },
  { machines: 50, pods: 0, most: 800 },
  { machines: 50, pods: 20, most: 1_990 },
])('$machines Machines of $pods Pods take at most $most requests', async ({ machines, pods, most }) => {
  const alone = { ...small, instances: 1, mode: 'replace', plane: 'process' } as const;
  const { result } = await played({ ...alone, machines, pods });

  expect([result.left, result.givenUp]).toEqual([0, 0]);
  expect(result.requests).toBeLessThanOrEqual(most);
});
