import { expect, test } from 'vitest';
import { deleteMachines } from '../../../infra/cli/run/choose-targets.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { resourceOf } from '../../../shared/dialects/dialect.ts';
import { beside, ourHook } from '../../builders/beside.ts';
import { aRawMachine } from '../../builders/cluster-api.ts';
import { FakeCluster } from '../../builders/fake-cluster.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';

/** Machines that live, the first of them without the finalizer of the functions. */
function aFleet(dialect = clusterApi) {
  const log: string[] = [];
  const kubernetes = new FakeCluster(log);
  for (const [name, finalizers] of Object.entries({ new: [], held: [clusterApi.finalizer] })) {
    const machine = aRawMachine({ metadata: { name, uid: name, finalizers } });
    delete machine.metadata.deletionTimestamp;
    kubernetes.put('machines', machine);
  }
  const api = {
    dialect,
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    resource: resourceOf(clusterApi, 'v1beta2'),
  };
  const names = [
    { namespace: 'default', name: 'held' },
    { namespace: 'default', name: 'new' },
  ];
  const deletes = (): string[] => log.filter((line) => line.startsWith('delete'));
  return { fleet: { kubernetes, machineApis: [api] }, names, deletes };
}

test('Machines are deleted once they are held, or after ten seconds', async () => {
  const { fleet, names, deletes } = aFleet();
  const clock = manualClock();
  const deleting = deleteMachines(fleet, { names, clock, interrupted: new AbortController().signal });
  await clock.advance(9_999);
  expect(deletes()).toEqual([]);
  await clock.advance(60);
  expect((await deleting).map(({ name }) => name)).toEqual(['held', 'new']);
  expect(deletes()).toEqual(['delete machines/default/held', 'delete machines/default/new']);
});

test('none is deleted any more once somebody has interrupted it', async () => {
  const { fleet, names, deletes } = aFleet();
  const clock = manualClock();
  const interruption = new AbortController();
  const deleting = deleteMachines(fleet, { names, clock, interrupted: interruption.signal });
  await clock.advance(1_000);
  interruption.abort();
  await clock.advance(50);
  expect(await deleting).toEqual([]);
  expect(deletes()).toEqual([]);
});

test("beside the API's own controller they are deleted once they have our hook too", async () => {
  const { fleet, names, deletes } = aFleet(beside());
  const clock = manualClock();
  const deleting = deleteMachines(fleet, {
    names: names.slice(0, 1),
    clock,
    interrupted: new AbortController().signal,
  });
  await clock.advance(5_000);
  expect(deletes()).toEqual([]);
  const held = aRawMachine({
    metadata: { name: 'held', uid: 'held', annotations: { [ourHook]: 'phaseout.dev' } },
  });
  delete held.metadata.deletionTimestamp;
  fleet.kubernetes.put('machines', held);
  await clock.advance(60);
  await deleting;
  expect(deletes()).toEqual(['delete machines/default/held']);
});
