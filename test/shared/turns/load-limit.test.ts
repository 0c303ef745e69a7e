import { expect, test } from 'vitest';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { nodes } from '../../../shared/kubernetes/resources.ts';
import { type Metrics, noMetrics } from '../../../shared/runtime/metrics.ts';
import { UnderLoad } from '../../../shared/turns/load-limit.ts';
import { clockOf } from '../../builders/clock.ts';
import { FakeCluster } from '../../builders/fake-cluster.ts';

let now = 0;
const clock = clockOf(() => now);

/** The limit, as `/metrics` shows it after the next step. */
async function limitOf(load: UnderLoad, told: number[]): Promise<number | undefined> {
  await load.places.run({ rank: 0 }, async () => undefined);
  return told.at(-1);
}

function aLoad() {
  now = 10_000;
  const told: number[] = [];
  const metrics: Metrics = {
    ...noMetrics,
    replace: (_metric, readings) => {
      for (const { labels, value } of readings) if ('is' in labels && labels.is === 'limit') told.push(value);
    },
  };
  const load = new UnderLoad(clock, metrics);
  return { load, limit: () => limitOf(load, told) };
}

test('eight steps are taken at once at first', async () => {
  const { load, limit } = aLoad();
  now += 1;
  expect(await limit()).toBe(8);
  expect(load.places.room()).toBe(16);
});

test('an API server that asks to be left alone is asked by fewer', async () => {
  const { load, limit } = aLoad();
  now += 2_000;
  const failing = new FakeCluster([]);
  failing.get = async () => {
    throw new Unavailable('too many requests', { retryAfterSeconds: 1 });
  };
  await expect(load.timed(failing).get(nodes, { name: 'node-1' })).rejects.toThrow('too many requests');
  expect(await limit()).toBe(5);
});

test('one that answers is asked as before', async () => {
  const { load, limit } = aLoad();
  now += 2_000;
  const cluster = new FakeCluster([]);
  cluster.put('nodes', { metadata: { name: 'node-1', uid: 'node-uid-1' } });
  expect(await load.timed(cluster).get(nodes, { name: 'node-1' })).toMatchObject({
    metadata: { uid: 'node-uid-1' },
  });
  expect(await limit()).toBe(8);
});

test('a deletion that was put off begins when a step ends and there is room, and once', async () => {
  const { load } = aLoad();
  const begun: string[] = [];
  load.places.later('a', () => void begun.push('a'));
  load.places.later('b', () => void begun.push('b'));
  load.places.later('c', () => void begun.push('c'));
  expect(begun).toEqual([]);
  await load.places.run({ rank: 0 }, async () => undefined);
  expect(begun).toEqual(['a', 'b']);
  await load.places.run({ rank: 0 }, async () => undefined);
  await load.places.run({ rank: 0 }, async () => undefined);
  expect(begun).toEqual(['a', 'b', 'c']);
});
