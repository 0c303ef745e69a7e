import { expect, test } from 'vitest';
import type { KubeObject } from '../../../infra/local/kubernetes/cluster.ts';
import { machineTraits, podTraits } from './traits.ts';

const capi = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine' };
const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/backup';

test.each<[string, KubeObject, string[]]>([
  ['a plain one', { ...capi, metadata: { name: 'm1', finalizers: ['machine.cluster.x-k8s.io'] } }, []],
  [
    'one of Cluster API',
    {
      ...capi,
      metadata: {
        name: 'm1',
        annotations: { [hook]: '', 'cluster.x-k8s.io/paused': '', a: 'b', 'phaseout.dev/checkpoint': '{}' },
        finalizers: ['machine.cluster.x-k8s.io', 'example.com/other'],
        deletionTimestamp: '2026-01-01T00:00:00Z',
      },
      spec: { deletion: { nodeDrainTimeoutSeconds: 60 } },
    },
    [
      'being deleted',
      `hooks ${hook}`,
      'time limits drain 60 s',
      'annotations cluster.x-k8s.io/paused, a=b',
      'finalizers of others example.com/other',
    ],
  ],
  [
    'one of OpenShift',
    {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'Machine',
      metadata: { name: 'm1' },
      spec: { lifecycleHooks: { preTerminate: [{ name: 'Backup', owner: 'somebody' }] } },
    },
    ['hooks pre-terminate Backup'],
  ],
])('what is particular about a Machine: %s', (_which, machine, traits) => {
  expect(machineTraits(machine)).toEqual(traits);
});

test('what is particular about a Pod', () => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'a',
      labels: { app: 'a', 'pod-template-hash': '1' },
      annotations: { 'local.phaseout.dev/never-stops': 'true' },
      finalizers: ['example.com/held'],
      deletionTimestamp: '2026-01-01T00:00:00Z',
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'a', uid: 'u', controller: true }],
    },
    spec: { volumes: [{ persistentVolumeClaim: { claimName: 'data' } }, { emptyDir: {} }] },
  };
  expect(podTraits(pod)).toEqual([
    'on its way already',
    'of ReplicaSet a',
    'labels app=a',
    'annotations local.phaseout.dev/never-stops=true',
    'claims data',
    'finalizers example.com/held',
  ]);
});
