import { expect, test } from 'vitest';
import { asMeasured, played } from './played.ts';
import { sizes } from './pods.ts';

const a = { scenario: 'a', ...sizes.a } as const;
const b = { scenario: 'b', ...sizes.b } as const;
const c = { scenario: 'c', ...sizes.c } as const;
const fleet = (machines: number, pods: number) => ({ scenario: 'fleet', machines, pods }) as const;

/*
 * In a and b all comes in one order. Elsewhere the order of events decides, and the most is the highest of five seeds with
 * some more:
 * - c: a Pod's end and what its budget then allows are 20 ms apart. The look waits for the second.
 * - 50 x 0: Cluster API writes a Machine that was just read. It is read and written again, with 2 requests. Its own cache
 *   may be late: it writes again what it has written, or deletes a Node that is gone.
 * - 50 x 20: the same before a checkpoint. Some lists of VolumeAttachments are shared.
 */
test.each([
  { row: 'a', ...a, ours: 44, theirs: 24 },
  { row: 'b', ...b, ours: 49, theirs: 24 },
  { row: 'c', ...c, ours: 80, theirs: 24 },
  { row: '50 x 0', ...fleet(50, 0), ours: 240, theirs: 1_480 },
  { row: '50 x 20', ...fleet(50, 20), ours: 1_435, theirs: 1_225 },
])('beside, $row takes at most $ours requests, and $theirs of Cluster API', async (given) => {
  const { row: _row, ours, theirs, ...deleted } = given;
  const { result, complaints } = await played({ ...asMeasured, ...deleted, mode: 'beside' });

  expect([complaints, result.left, result.givenUp]).toEqual([[], 0, 0]);
  expect(result.requests).toBeLessThanOrEqual(ours);
  expect(result.theirs).toBeLessThanOrEqual(theirs);
  // No Machine goes for less.
  expect(result.theirs).toBeGreaterThanOrEqual(24 * deleted.machines);
  expect(result.both).toBe(result.requests + result.theirs);
});

test.each([
  { row: 'a', ...a, ours: 55 },
  { row: 'b', ...b, ours: 62 },
  { row: 'c', ...c, ours: 98 },
  { row: '50 x 0', ...fleet(50, 0), ours: 800 },
])('in its place, $row takes at most $ours requests', async ({ row: _row, ours, ...deleted }) => {
  const { result, complaints } = await played({ ...asMeasured, ...deleted, mode: 'replace' });

  expect([complaints, result.left, result.givenUp, result.theirs]).toEqual([[], 0, 0, 0]);
  expect(result.requests).toBeLessThanOrEqual(ours);
});

test('what Cluster API asks for a Machine after a drain is what a real audit log has', async () => {
  const { result } = await played({ ...asMeasured, ...a, mode: 'beside' });

  expect(result.theirsByKind).toEqual({
    'patch machines.cluster.x-k8s.io/status': 8,
    'patch machines.cluster.x-k8s.io': 1,
    'list pods': 3,
    'list volumeattachments.storage.k8s.io': 3,
    'create events': 2,
    'patch events': 4,
    'delete genericinfrastructuremachines.infrastructure.cluster.x-k8s.io': 1,
    'delete genericbootstrapconfigs.bootstrap.cluster.x-k8s.io': 1,
    'delete nodes': 1,
  });
});

test('behind a budget of one ten Pods are evicted one a second, and nine are refused at first', async () => {
  const { result } = await played({ ...asMeasured, ...c, mode: 'beside' });

  expect([result.podsEvicted, result.podsEvictedTwice]).toEqual([10, 0]);
  // Between two rounds one more may be tried.
  expect([9, 10]).toContain(result.throttled);
  expect(result.seconds).toBeGreaterThan(10);
});
