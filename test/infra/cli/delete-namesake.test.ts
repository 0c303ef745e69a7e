import { expect, test } from 'vitest';
import { deleteMachines } from '../../../infra/cli/run/choose-targets.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { FakeCluster } from '../../builders/fake-cluster.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';
import { servedAs } from '../host/served-as.ts';

// Ten seconds are time enough for somebody to delete the Machine and make another one of that name.
test('the Machine that was named is deleted, and not one that has taken its place meanwhile', async () => {
  const kubernetes = new FakeCluster([]);
  const named = { namespace: 'fleet', name: 'worker-1' };
  kubernetes.put('machines', { metadata: { ...named, uid: 'first' } });
  const clock = manualClock();
  const fleet = { kubernetes, machineApis: [servedAs(clusterApi, 'v1beta2')] };
  const interrupted = new AbortController().signal;
  const deleting = deleteMachines(fleet, { names: [named], clock, interrupted });
  await clock.advance(1_000);
  kubernetes.drop('machines/fleet/worker-1');
  kubernetes.put('machines', { metadata: { ...named, uid: 'second', finalizers: [clusterApi.finalizer] } });
  await clock.advance(1_000);
  expect((await deleting).map(({ uid }) => uid)).toEqual(['first']);
  const second = kubernetes.at('machines/fleet/worker-1');
  expect([second?.metadata.uid, second?.metadata.deletionTimestamp]).toEqual(['second', undefined]);
});
