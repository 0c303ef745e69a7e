import { describe, expect, test } from 'vitest';
import { sweep } from '../../../functions/sweep.ts';
import { originalApi } from '../../../shared/dialects/v1alpha1/index.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { noMetrics, type Since } from '../../../shared/runtime/metrics.ts';
import { after, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { aWorld, machinePath, type World } from '../../builders/world.ts';

interface Told {
  ages: readonly Since[];
  isWhole: boolean;
}

/** What a full sweep tells of the ages of deletions. */
async function told(world: World): Promise<Told[]> {
  const all: Told[] = [];
  world.env.metrics = {
    ...noMetrics,
    showAges: (metric, ages, isWhole) => void (metric === 'oldestDeletion' && all.push({ ages, isWhole })),
  };
  await sweep(world.env, 'all');
  return all;
}

function withMachines(...machines: KubeObject[]): World {
  const world = aWorld();
  world.management.drop(machinePath);
  for (const machine of machines) world.management.put('machines', machine);
  return world;
}

const deleted = (namespace: string, name: string, seconds: number, reason = 'DrainingNode'): KubeObject =>
  aRawMachine({
    metadata: { namespace, name, uid: `uid-${name}`, deletionTimestamp: timeAfter(seconds) },
    status: { conditions: [{ type: 'Deleting', status: 'True', reason }] },
  });

const labels = (machine_namespace: string, reason: string) => ({
  machine_api: 'cluster-api',
  machine_namespace,
  reason,
});

describe('the age of deletions', () => {
  test('is that of the oldest in each namespace, by the reason that it shows', async () => {
    const world = withMachines(
      deleted('blue', 'a', -300),
      deleted('blue', 'b', -900),
      deleted('blue', 'c', -4_000, 'Paused'),
      deleted('green', 'd', -60),
    );
    expect(await told(world)).toEqual([
      {
        ages: [
          { labels: labels('blue', 'Paused'), since: after(-4_000) },
          { labels: labels('blue', 'DrainingNode'), since: after(-900) },
          { labels: labels('green', 'DrainingNode'), since: after(-60) },
        ],
        isWhole: true,
      },
    ]);
  });

  test('is told of no Machine that lives, nor of one that is gone', async () => {
    const { deletionTimestamp: _, ...metadata } = aRawMachine().metadata;
    const world = withMachines({ ...aRawMachine(), metadata });
    expect(await told(world)).toEqual([{ ages: [], isWhole: true }]);
  });

  test('is told of what could be listed, while another Machine API does not answer', async () => {
    const world = withMachines(deleted('blue', 'a', -300));
    world.env.dialects = [...world.env.dialects, originalApi];
    const discover = world.management.discover.bind(world.management);
    world.management.discover = async (group, kind) => {
      if (group === 'cluster.k8s.io') throw new Unavailable('no answer');
      return discover(group, kind);
    };
    expect(await told(world)).toEqual([
      { ages: [{ labels: labels('blue', 'DrainingNode'), since: after(-300) }], isWhole: false },
    ]);
  });

  test('costs no request', async () => {
    const world = withMachines(deleted('blue', 'a', -300));
    await told(world);
    expect(world.management.reads.filter((read) => read.startsWith('list'))).toEqual(['list machines']);
  });

  test('is told of the hundred oldest, where there are more namespaces than that', async () => {
    const numbers = Array.from({ length: 120 }, (_, number) => number);
    const world = withMachines(
      ...numbers.map((number) => deleted(`n-${number}`, `m-${number}`, -1_000 + number)),
    );
    const [first] = await told(world);
    expect(first?.ages).toHaveLength(100);
    expect(first?.ages.at(0)?.since).toBe(after(-1_000));
    expect(first?.ages.at(-1)?.since).toBe(after(-901));
  });
});
