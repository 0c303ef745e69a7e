import { describe, expect, it } from 'vitest';
import { oneAtATime } from '../../../../../infra/cli/look/lists/one-at-a-time.ts';
import { overLists } from '../../../../../infra/cli/look/lists/over-lists.ts';
import type { WorkloadRef } from '../../../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../../../shared/kubernetes/errors.ts';
import { nodes, pods, secrets } from '../../../../../shared/kubernetes/resources.ts';
import { FakeCluster } from '../../../../builders/fake-cluster.ts';

const deployments = { group: 'apps', version: 'v1', plural: 'deployments' };
const machines = { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'machines' };

const podOn = (name: string, nodeName: string | undefined, labels = {}) => ({
  metadata: { name, namespace: 'shop', labels, managedFields: [{ manager: 'x' }] },
  spec: { ...(nodeName !== undefined && { nodeName }), containers: [{ name: 'main' }], tolerations: [] },
  status: { phase: 'Running', containerStatuses: [] },
});

function aCluster() {
  const cluster = new FakeCluster([]);
  for (const each of [podOn('a', 'n1', { app: 'web' }), podOn('b', 'n2'), podOn('c', undefined)])
    cluster.put('pods', each);
  cluster.put('machines', { metadata: { name: 'm', namespace: 'fleet' } });
  cluster.put('secrets', { metadata: { name: 's', namespace: 'fleet' } });
  return cluster;
}

const failing = (): never => {
  throw new Unavailable('the API server is away');
};

const names = ({ items }: { items: readonly { metadata: { name: string } }[] }): string[] =>
  items.map(({ metadata }) => metadata.name);

describe('a cluster that is looked at for many Machines', () => {
  it('is asked for each kind once', async () => {
    const cluster = aCluster();
    const look = overLists(cluster);
    const on = (node: string) => look.list(pods, { fieldSelector: `spec.nodeName=${node}` });
    expect(names(await on('n1'))).toEqual(['a']);
    expect(names(await on('n2'))).toEqual(['b']);
    expect(names(await on('n3'))).toEqual([]);
    expect(names(await look.list(pods, { labelSelector: 'app=web' }))).toEqual(['a']);
    expect(names(await look.list(pods, { namespace: 'shop' }))).toEqual(['a', 'b']);
    expect((await look.get(pods, { namespace: 'shop', name: 'b' }))?.metadata.name).toBe('b');
    expect(await look.get(pods, { namespace: 'shop', name: 'z' })).toBeUndefined();
    expect(cluster.reads).toEqual(['list pods']);
  });

  it('keeps of a Pod what phaseout reads, and none that is on no Node', async () => {
    const { items } = await overLists(aCluster()).list(pods);
    expect(names({ items })).toEqual(['a', 'b']);
    expect(items[0]).toMatchObject({
      metadata: { name: 'a', namespace: 'shop', labels: { app: 'web' } },
      spec: { nodeName: 'n1', tolerations: [] },
      status: { phase: 'Running' },
    });
    expect(JSON.stringify(items)).not.toMatch(/managedFields|containers|containerStatuses/);
  });

  it('keeps of a Node and of what makes Pods what phaseout reads', async () => {
    const cluster = aCluster();
    cluster.put('nodes', { metadata: { name: 'n1' }, spec: { providerID: 'x' }, status: { images: [{}] } });
    const template = { spec: { nodeName: 'n1', containers: [] } };
    cluster.put('deployments', {
      metadata: { name: 'd', namespace: 'shop' },
      spec: { replicas: 1, template },
    });
    const look = overLists(cluster);
    expect(await look.get(nodes, { name: 'n1' })).toMatchObject({ spec: { providerID: 'x' }, status: {} });
    expect((await look.get(nodes, { name: 'n1' }))?.['status']).toEqual({});
    const deployment = await look.get(deployments, { namespace: 'shop', name: 'd' });
    expect(deployment?.['spec']).toEqual({ template: { spec: { nodeName: 'n1' } } });
  });

  it('gets Secrets one by one, and lists what it cannot select itself', async () => {
    const cluster = aCluster();
    const look = overLists(cluster);
    await look.get(secrets, { namespace: 'fleet', name: 's' });
    await look.list(pods, { fieldSelector: 'metadata.name=a' });
    expect(cluster.reads).toEqual(['get secrets/fleet/s', 'list pods']);
  });

  it('lists those of one namespace by themselves where others do not matter', async () => {
    const cluster = aCluster();
    cluster.put('machines', { metadata: { name: 'other', namespace: 'elsewhere' } });
    const look = overLists(cluster, 'fleet');
    expect(names(await look.list(machines, { namespace: 'fleet' }))).toEqual(['m']);
    expect(names(await look.list(machines))).toEqual(['m', 'other']);
    expect(cluster.reads).toEqual(['list machines', 'list machines']);
  });

  it('does not ask again what has failed', async () => {
    const cluster = aCluster();
    cluster.on('list pods', failing);
    const look = overLists(cluster);
    await expect(look.list(pods)).rejects.toThrow('the API server is away');
    await expect(look.get(pods, { namespace: 'shop', name: 'a' })).rejects.toThrow('the API server is away');
    expect(cluster.reads).toEqual(['list pods']);
  });
});

const inCluster = (clusterName: string): WorkloadRef => ({
  kind: 'cluster',
  namespace: 'fleet',
  clusterName,
});

describe('the clusters of the Nodes', () => {
  it('are opened once for all Machines of a cluster, and given up for the next one', async () => {
    const opened: string[] = [];
    const clusters = oneAtATime({
      of: async (workload) => {
        opened.push(workload.kind === 'here' ? 'here' : workload.clusterName);
        return aCluster();
      },
    });
    const blue = await clusters.of(inCluster('blue'));
    expect(await clusters.of(inCluster('blue'))).toBe(blue);
    await clusters.of(inCluster('green'));
    expect(await clusters.of(inCluster('blue'))).not.toBe(blue);
    expect(opened).toEqual(['blue', 'green', 'blue']);
  });

  it('are not tried again where there is no way to one', async () => {
    let tries = 0;
    const clusters = oneAtATime({
      of: () => {
        tries += 1;
        return Promise.reject(new Unavailable('no Secret'));
      },
    });
    await expect(clusters.of(inCluster('blue'))).rejects.toThrow('no Secret');
    await expect(clusters.of(inCluster('blue'))).rejects.toThrow('no Secret');
    expect(tries).toBe(1);
  });
});
