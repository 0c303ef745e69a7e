import { expect, test } from 'vitest';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { machines } from '../../stories/stage/v1alpha1.ts';
import { livingAreOwned } from './living-are-owned.ts';
import { openStage } from './stage.ts';

const apiVersion = 'cluster.k8s.io/v1alpha1';
const named = { namespace: 'fleet', name: 'old-1' };
const plan = { api: 'v1alpha1', resource: machines, ...named, host: 'blue', node: undefined } as const;
const write = 'instance-1 puts the finalizer on Machine fleet/old-1:';

const owner = (kind: string, uid: string | undefined) => ({ apiVersion, kind, name: 'red', uid: uid ?? '' });

type Owner = ReturnType<typeof owner>;

interface Given {
  hasCluster?: boolean;
  before?: (cluster: KubeObject | undefined) => Owner[];
  written: (cluster: KubeObject | undefined) => Owner[] | undefined;
}

async function criesFor({ hasCluster = true, before = () => [], written }: Given): Promise<string[]> {
  const stage = await openStage(livingAreOwned, { machines: [plan] });
  const { management } = stage.world;
  const red = { apiVersion, kind: 'Cluster', metadata: { namespace: 'fleet', name: 'red' }, spec: {} };
  const cluster = hasCluster ? management.create('clusters.cluster.k8s.io', red) : undefined;
  const labels = { 'cluster.k8s.io/cluster-name': 'red' };
  management.create(machines, {
    apiVersion,
    kind: 'Machine',
    metadata: { ...named, labels, ownerReferences: before(cluster) },
    spec: { providerSpec: {} },
  });
  await stage.pass(10);
  const ownerReferences = written(cluster);
  const metadata = { finalizers: ['machine.cluster.k8s.io'], ...(ownerReferences && { ownerReferences }) };
  stage.ask({ verb: 'patch', resource: machines, ...named, body: { metadata } });
  return stage.cries;
}

test.each<[string, Given, string[]]>([
  ['its Cluster', { written: (cluster) => [owner('Cluster', cluster?.metadata.uid)] }, []],
  ['nobody, and it has a Cluster', { written: () => undefined }, [`${write} its owners are none`]],
  [
    'a Cluster that was there before',
    { written: () => [owner('Cluster', 'uid-0')] },
    [`${write} its owners are red`],
  ],
  ['nobody, and its Cluster is not there', { hasCluster: false, written: () => undefined }, []],
  ['its set, as before', { before: () => [owner('MachineSet', 'set')], written: () => undefined }, []],
  [
    'its Cluster alone, and was owned by somebody',
    {
      before: () => [owner('Other', 'other')],
      written: (cluster) => [owner('Cluster', cluster?.metadata.uid)],
    },
    [`${write} its owner Other red is taken off`],
  ],
])('a Machine that is taken hold of is owned by %s', async (_what, given, cries) => {
  expect(await criesFor(given)).toEqual(cries);
});

const readRed = { verb: 'get', resource: 'clusters.cluster.k8s.io', namespace: 'fleet', name: 'red' };

/** The Cluster is read for this Machine, is gone a second later, and is read for another one. So long after that it is written. */
async function criesForOneThatIsGone(milliseconds: number): Promise<string[]> {
  const stage = await openStage(livingAreOwned, { machines: [plan] });
  const { management } = stage.world;
  const red = { apiVersion, kind: 'Cluster', metadata: { namespace: 'fleet', name: 'red' }, spec: {} };
  const cluster = management.create('clusters.cluster.k8s.io', red);
  const labels = { 'cluster.k8s.io/cluster-name': 'red' };
  management.create(machines, {
    apiVersion,
    kind: 'Machine',
    metadata: { ...named, labels },
    spec: { providerSpec: {} },
  });
  await stage.pass(10);
  stage.ask(readRed);
  await stage.pass(1_000);
  management.remove('clusters.cluster.k8s.io', cluster);
  await stage.pass(10_000);
  stage.ask(readRed, undefined, 404);
  await stage.pass(milliseconds);
  const ownerReferences = [owner('Cluster', cluster.metadata.uid)];
  const metadata = { finalizers: ['machine.cluster.k8s.io'], ownerReferences };
  stage.ask({ verb: 'patch', resource: machines, ...named, body: { metadata } });
  return stage.cries;
}

test.each([
  ['may be known from before', 2_000, []],
  ['has been known to be gone for long', 180_000, [`${write} its owners are red`]],
])('a Cluster that is gone %s', async (_how, milliseconds, cries) => {
  expect(await criesForOneThatIsGone(milliseconds)).toEqual(cries);
});
