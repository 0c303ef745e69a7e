import { expect, test } from 'vitest';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { machineTraits, podTraits } from './traits.ts';

const capi = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine' };
const labels = { 'cluster.x-k8s.io/cluster-name': 'blue' };
const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/backup';

const asked = JSON.stringify({
  uid: 'u1',
  hooks: [
    { name: 'move-data', begin: '2026-01-01T00:00:00Z', end: { as: 'Done' } },
    { name: 'unmount', begin: '2026-01-01T00:00:09Z' },
    { name: 'wipe' },
  ],
});

test.each<[string, KubeObject, string[]]>([
  [
    'a plain one',
    { ...capi, metadata: { name: 'm1', labels, finalizers: ['machine.cluster.x-k8s.io'] } },
    [],
  ],
  [
    'one of Cluster API',
    {
      ...capi,
      metadata: {
        name: 'm1',
        uid: 'u1',
        labels: { ...labels, pool: 'a', 'cluster.x-k8s.io/control-plane': '' },
        annotations: {
          [hook]: '',
          'cluster.x-k8s.io/paused': '',
          a: 'b',
          'phaseout.dev/checkpoint': '{}',
          'phaseout.dev/hooks': asked,
        },
        finalizers: ['machine.cluster.x-k8s.io', 'example.com/other'],
        deletionTimestamp: '2026-01-01T00:00:00Z',
      },
      spec: { deletion: { nodeDrainTimeoutSeconds: 60 }, infrastructureRef: { name: 'm2' } },
    },
    [
      'being deleted',
      'refers to the server of m2',
      'labels pool=a, cluster.x-k8s.io/control-plane',
      `hooks ${hook}`,
      'functions move-data Done, unmount asked, wipe later',
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
    ['no label of its cluster', 'hooks pre-terminate Backup'],
  ],
])('what is particular about a Machine: %s', (_which, machine, traits) => {
  expect(machineTraits(machine)).toEqual(traits);
});

test.each([
  ['that its status does not name', 'n', {}, ['its status names no Node']],
  ['that it has', 'n', { status: { nodeRef: { name: 'n' } } }, []],
  ['that it never had', undefined, {}, []],
])('of its Node a Machine shows one %s', (_which, node, status, traits) => {
  expect(machineTraits({ ...capi, metadata: { name: 'm1', labels }, ...status }, node)).toEqual(traits);
});

test('what is particular about a Pod', () => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'a',
      labels: { app: 'a', 'pod-template-hash': '1' },
      annotations: {
        'local.phaseout.dev/never-stops': 'true',
        'local.phaseout.dev/stop-seconds': '20',
        'local.phaseout.dev/run-seconds': '8',
        a: 'b',
      },
      finalizers: ['example.com/held'],
      deletionTimestamp: '2026-01-01T00:00:00Z',
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'a', uid: 'u', controller: true }],
    },
    spec: { volumes: [{ persistentVolumeClaim: { claimName: 'data' } }, { emptyDir: {} }] },
  };
  expect(podTraits(pod)).toEqual([
    'being deleted',
    'of ReplicaSet a',
    'labels app=a',
    'never stops',
    'takes 20 s to stop',
    'runs for 8 s',
    'annotations a=b',
    'claims data',
    'finalizers example.com/held',
  ]);
});
