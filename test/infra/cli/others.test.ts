import { expect, it } from 'vitest';
import { type Other, Others, othersLine } from '../../../infra/cli/run/others.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { originalApi } from '../../../shared/dialects/v1alpha1/index.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { CouldNotLook, type Kubernetes, type WatchListener } from '../../../shared/kubernetes/port.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';
import { servedAs } from '../host/served-as.ts';

const clock = manualClock();
const machineApis = [servedAs(clusterApi, 'v1beta2')];

const aMachine = (name: string, phase?: string, deletionTimestamp?: string) => ({
  metadata: { name, namespace: 'fleet', ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) },
  ...(phase === undefined ? {} : { status: { phase } }),
});

/** Lists what it was given last, and hands out the listener of the watch that was begun last. */
function aCluster(...lists: KubeObject[][]) {
  const watches: WatchListener[] = [];
  const cluster: Pick<Kubernetes, 'list' | 'watch'> = {
    list: async () => ({ items: (lists.length > 1 ? lists.shift() : lists[0]) ?? [], resourceVersion: '7' }),
    watch: (_resource, _selection, _version, listener) => {
      watches.push(listener);
      return () => undefined;
    },
  };
  return { watches, cluster };
}

it('leaves out what is being deleted and follows what changes', async () => {
  const told: Other[] = [];
  const { cluster, watches } = aCluster([
    aMachine('a', 'Running'),
    aMachine('b', 'Deleting', '2026-01-01T00:00:00Z'),
    aMachine('c'),
  ]);
  const others = new Others({ kubernetes: cluster, machineApis }, clock, (other) => told.push(other));
  await others.begin();
  expect(othersLine(others.list())).toEqual(['others: fleet/a Running, fleet/c']);
  watches[0]?.changed('MODIFIED', aMachine('a', 'Deleting', '2026-01-01T00:00:00Z'));
  watches[0]?.changed('ADDED', aMachine('d', 'Pending'));
  watches[0]?.changed('DELETED', aMachine('c'));
  expect(others.list()).toEqual([{ machine: 'fleet/d', phase: 'Pending' }]);
  watches[0]?.changed('MODIFIED', aMachine('d', 'Pending'));
  expect(told).toEqual([{ machine: 'fleet/d', phase: 'Pending' }]);
});

it('lists again a second after the watch has ended, unless it is closed', async () => {
  const told: Other[] = [];
  const { cluster, watches } = aCluster([aMachine('a', 'Running')], [aMachine('z', 'Running')]);
  const others = new Others({ kubernetes: cluster, machineApis }, clock, (other) => told.push(other));
  await others.begin();
  watches[0]?.ended(true);
  await clock.advance(999);
  expect(others.list()).toEqual([{ machine: 'fleet/a', phase: 'Running' }]);
  await clock.advance(1);
  expect(others.list()).toEqual([{ machine: 'fleet/z', phase: 'Running' }]);
  others.close();
  watches[1]?.ended(false);
  await clock.advance(10_000);
  expect(watches).toHaveLength(2);
});

it('shows what it knew while it cannot list again, and goes on when it can', async () => {
  const { cluster, watches } = aCluster([aMachine('a', 'Running')], [aMachine('z', 'Running')]);
  const others = new Others({ kubernetes: cluster, machineApis }, clock, () => undefined);
  await others.begin();
  const { list } = cluster;
  cluster.list = () => Promise.reject(new CouldNotLook('down'));
  watches[0]?.ended(true);
  await clock.advance(5_000);
  expect(others.list()).toEqual([{ machine: 'fleet/a', phase: 'Running' }]);
  cluster.list = list;
  await clock.advance(1_000);
  expect(others.list()).toEqual([{ machine: 'fleet/z', phase: 'Running' }]);
});

it('says nothing where there are none', () => {
  expect(othersLine([])).toEqual([]);
});

it('tells of a Node that comes, and of no phase where the Machine API has none', async () => {
  const told: Other[] = [];
  const { cluster, watches } = aCluster([]);
  const v1alpha1 = [servedAs(originalApi, 'v1alpha1')];
  const others = new Others({ kubernetes: cluster, machineApis: v1alpha1 }, clock, (other) =>
    told.push(other),
  );
  await others.begin();
  watches[0]?.changed('ADDED', aMachine('a'));
  watches[0]?.changed('MODIFIED', aMachine('a'));
  watches[0]?.changed('MODIFIED', { ...aMachine('a'), status: { nodeRef: { name: 'node-a' } } });
  expect(told).toEqual([{ machine: 'fleet/a' }, { machine: 'fleet/a', node: 'node-a' }]);
  expect(othersLine(others.list())).toEqual(['others: fleet/a']);
});
