import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { World } from '../world.ts';
import { budgetsIn, clustersIn, namespacesIn, rulesIn, volumesIn } from './surroundings.ts';

const open = (): World =>
  new World({
    workloads: ['blue'],
    instances: 1,
    config: {},
    latencyMilliseconds: 0,
    random: createRandom(1),
  });

const fleet = { namespace: 'fleet', name: 'blue' };

test('a Cluster is shown with its labels, and that it is paused', () => {
  const { management } = open();
  management.create('namespaces', { metadata: { name: 'fleet' } });
  management.create('clusters.cluster.x-k8s.io', {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { ...fleet, labels: { site: 'blue' } },
    spec: { paused: true, controlPlaneEndpoint: { host: 'blue', port: 443 } },
  });
  management.create('clusters.cluster.k8s.io', {
    apiVersion: 'cluster.k8s.io/v1alpha1',
    kind: 'Cluster',
    metadata: fleet,
    spec: {},
  });
  expect(clustersIn(management)).toEqual([
    'Cluster fleet/blue: labels site=blue; paused',
    'Cluster fleet/blue',
  ]);
});

test('of Namespaces those are shown that somebody has labelled', () => {
  const world = open();
  const blue = world.cluster('blue');
  blue.create('namespaces', { metadata: { name: 'bank', labels: { team: 'bank' } } });
  blue.create('namespaces', { metadata: { name: 'plain' } });
  expect(namespacesIn(world, 'blue')).toEqual(['Namespace bank in blue: labels team=bank']);
});

test('rules and budgets are shown as they were written', () => {
  const world = open();
  world.management.create('namespaces', { metadata: { name: 'fleet' } });
  world.cluster('blue').create('namespaces', { metadata: { name: 'shop' } });
  world.management.create('machinedrainrules.cluster.x-k8s.io', {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDrainRule',
    metadata: { namespace: 'fleet', name: 'last' },
    spec: { drain: { behavior: 'Drain', order: 10 } },
  });
  world.cluster('blue').create('poddisruptionbudgets.policy', {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { namespace: 'shop', name: 'cart' },
    spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'cart' } } },
  });
  expect([...rulesIn(world.management), ...budgetsIn(world, 'blue')]).toEqual([
    'MachineDrainRule fleet/last: {"drain":{"behavior":"Drain","order":10}}',
    'PodDisruptionBudget shop/cart in blue: {"maxUnavailable":1,"selector":{"matchLabels":{"app":"cart"}}}',
  ]);
});

test('a volume is shown with its claim, and by what it is attached', () => {
  const world = open();
  const blue = world.cluster('blue');
  for (const name of ['data', 'free'])
    blue.create('persistentvolumes', {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: 'csi.example', volumeHandle: name },
        claimRef: { kind: 'PersistentVolumeClaim', namespace: 'shop', name },
      },
    });
  blue.create('volumeattachments.storage.k8s.io', {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: 'stuck', finalizers: ['csi.example/detach'] },
    spec: { attacher: 'csi.example', nodeName: 'node-1', source: { persistentVolumeName: 'data' } },
  });
  expect(volumesIn(world, 'blue')).toEqual([
    'PersistentVolume data in blue: claim shop/data; attached to node-1 by stuck, held by csi.example/detach',
    'PersistentVolume free in blue: claim shop/free',
  ]);
});
