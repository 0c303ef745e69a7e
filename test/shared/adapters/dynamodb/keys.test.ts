import { expect, test } from 'vitest';
import { dueShardOf, dueShards } from '../../../../shared/adapters/dynamodb/attributes.ts';
import { placesOf } from '../../../../shared/store/clue.ts';

// A look is found only in the shard it was written to: these must not change with the code.
test.each([
  ['3f6c1a52-8f0e-4f3b-9c55-0d2b7c1e9a10', 'due#12'],
  ['b2b7a1c4-5a8d-4f0b-8a57-6c9d1f1f3b77', 'due#8'],
  ['uid-1', 'due#4'],
])('the shard of %s stays what it is', (uid, shard) => {
  expect(dueShardOf(uid)).toBe(shard);
});

test('Machines are spread over all shards, about evenly', () => {
  const counts = new Map(dueShards.map((shard) => [shard, 0]));
  for (let machine = 0; machine < 1_600; machine += 1) {
    const shard = dueShardOf(`${machine.toString(16).padStart(8, '0')}-5a8d-4f0b-8a57-6c9d1f1f3b77`);
    counts.set(shard, (counts.get(shard) ?? 0) + 1);
  }
  expect(counts.size).toBe(16);
  for (const count of counts.values()) expect(count).toBeGreaterThan(50);
});

test.each([
  ['3f6c1a52-8f0e-4f3b-9c55-0d2b7c1e9a11', 'day#2026-11-27#1'],
  ['b2b7a1c4-5a8d-4f0b-8a57-6c9d1f1f3b77', 'day#2026-11-27#0'],
  ['uid-1', 'day#2026-11-27#0'],
])('the shard of a day that %s is in stays what it is', (uid, place) => {
  const machine = { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'fleet', name: 'worker-1', uid };
  expect(placesOf(machine, 'node-1', Date.UTC(2026, 10, 27, 23, 59))).toEqual([
    'name#fleet/worker-1',
    place,
    'node#node-1',
  ]);
});
