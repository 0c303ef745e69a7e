import { expect, test } from 'vitest';
import { machines } from '../../../infra/local/kubernetes/crds/cluster-api.ts';
import { recordAt } from '../../../shared/dialects/fields.ts';
import { withoutHookTimes } from '../../stories/stage/hook-times.ts';
import { createRandom } from '../random.ts';
import { World } from '../world.ts';

const resource = 'machines.cluster.x-k8s.io';
const time = '2026-01-01T00:00:00Z';
const deletion = { nodeDrainStartTime: time, waitForPreTerminateHookStartTime: time };

test.each([
  ['that tells of hooks', true, deletion],
  ['that does not', false, { nodeDrainStartTime: time }],
])(
  'of a Machine in a world %s it is kept since when they are waited for, or not',
  (_which, tellsOfHooks, kept) => {
    const parts = {
      workloads: [],
      instances: 0,
      config: {},
      latencyMilliseconds: 1,
      random: createRandom(1),
    };
    const { management } = new World({ ...parts, tellsOfHooks });
    management.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fleet' } });
    const spec = {
      clusterName: 'blue',
      bootstrap: { dataSecretName: 'secret' },
      infrastructureRef: { apiGroup: 'a', kind: 'B', name: 'c' },
    };
    const metadata = { namespace: 'fleet', name: 'm1' };
    const machine = management.create(resource, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata,
      spec,
    });
    const told = management.patch(resource, machine, { status: { deletion } }, 'status');
    expect(recordAt(told, 'status', 'deletion')).toEqual(kept);
  },
);

test('what is not about a deletion stays as it is', () => {
  const { spec: _, ...rest } = machines;
  expect(withoutHookTimes({ ...rest, spec: { versions: [] } })).toEqual({ ...rest, spec: { versions: [] } });
});
