import { expect, it } from 'vitest';
import { type Other, Others, othersLine } from '../../../infra/cli/run/others.ts';
import { originalApi } from '../../../shared/dialects/v1alpha1/index.ts';
import { servedAs } from '../host/served-as.ts';
import { aWatchedCluster } from './watched-cluster.ts';

const aMachine = (name: string, phase?: string, deletionTimestamp?: string) => ({
  metadata: {
    name,
    namespace: 'fleet',
    uid: `uid-${name}`,
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
  },
  ...(phase === undefined ? {} : { status: { phase } }),
});

const since = '2026-01-01T00:00:00Z';

/** What is printed about the Machines after their first list. */
async function othersIn(...given: Parameters<typeof aWatchedCluster>) {
  const cluster = await aWatchedCluster(...given);
  const told: Other[] = [];
  const others = new Others(cluster, (other) => told.push(other));
  return { cluster, told, others };
}

it('leaves out what is being deleted and follows what changes', async () => {
  const { cluster, told, others } = await othersIn([
    aMachine('a', 'Running'),
    aMachine('b', 'Deleting', since),
    aMachine('c'),
  ]);
  expect(othersLine(others.list())).toEqual(['others: fleet/a Running, fleet/c']);
  cluster.put(aMachine('a', 'Deleting', since));
  cluster.put(aMachine('d', 'Pending'));
  cluster.drop(aMachine('c'));
  expect(others.list()).toEqual([{ machine: 'fleet/d', phase: 'Pending' }]);
  cluster.put(aMachine('d', 'Pending'));
  expect(told).toEqual([{ machine: 'fleet/d', phase: 'Pending' }]);
});

it('shows what a later list has, and tells what is new in it', async () => {
  const { cluster, told, others } = await othersIn([aMachine('a', 'Running'), aMachine('b', 'Running')]);
  await cluster.list(aMachine('b', 'Running'), aMachine('z', 'Running'));
  expect(others.list()).toEqual([
    { machine: 'fleet/b', phase: 'Running' },
    { machine: 'fleet/z', phase: 'Running' },
  ]);
  expect(told).toEqual([{ machine: 'fleet/z', phase: 'Running' }]);
});

it('says nothing where there are none', () => {
  expect(othersLine([])).toEqual([]);
});

it('tells of a Node that comes, and of no phase where the Machine API has none', async () => {
  const { cluster, told, others } = await othersIn([], servedAs(originalApi, 'v1alpha1'));
  cluster.put(aMachine('a'));
  cluster.put(aMachine('a'));
  cluster.put({ ...aMachine('a'), status: { nodeRef: { name: 'node-a' } } });
  expect(told).toEqual([{ machine: 'fleet/a' }, { machine: 'fleet/a', node: 'node-a' }]);
  expect(othersLine(others.list())).toEqual(['others: fleet/a']);
});
