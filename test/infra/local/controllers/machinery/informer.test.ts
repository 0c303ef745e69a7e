import { describe, expect, it } from 'vitest';
import { Informers } from '../../../../../infra/local/controllers/machinery/informers.ts';
import type { KubeObject } from '../../../../../infra/local/kubernetes/objects/cluster.ts';
import { createApiServer } from '../../../../../infra/local/kubernetes/server/api-server.ts';
import { settled, VirtualClock } from '../../../../golden/kubernetes/virtual-clock.ts';
import { aDefinition, meta } from '../platform.ts';

const byColor = ({ metadata }: KubeObject): string[] => [metadata.labels?.color ?? 'none'];

const colorOf = (object: KubeObject | undefined) => object?.metadata.labels?.color ?? '-';

function aCluster() {
  const { cluster } = createApiServer({ clock: new VirtualClock(0) });
  const add = (name: string, color: string) =>
    cluster.create('configmaps', { metadata: meta(name, { labels: { color } }) });
  const paint = (name: string, color: string) =>
    cluster.patch('configmaps', { metadata: meta(name) }, { metadata: { labels: { color } } });
  return { cluster, add, paint };
}

describe('an informer', () => {
  it('tells of what there is, then of every change', async () => {
    const { cluster, add, paint } = aCluster();
    add('a', 'red');
    const changes: string[] = [];
    new Informers(cluster).of('configmaps').onChange(({ key, before, after }) => {
      changes.push(`${key} ${colorOf(before)} ${colorOf(after)}`);
    });
    paint('a', 'blue');
    await settled();
    cluster.remove('configmaps', { metadata: meta('a') });
    await settled();
    expect(changes).toEqual(['default/a - red', 'default/a red blue', 'default/a blue -']);
  });

  it('shows an object of the same name as another one', async () => {
    const { cluster, add } = aCluster();
    add('a', 'red');
    const changes: string[] = [];
    const informer = new Informers(cluster).of('configmaps');
    cluster.remove('configmaps', { metadata: meta('a') });
    add('a', 'red');
    informer.onChange(({ before, after }) => changes.push(before ? (after ? 'changed' : 'gone') : 'there'));
    await settled();
    expect(changes).toEqual(['there', 'gone', 'there']);
  });

  it('keeps groups current', async () => {
    const { cluster, add, paint } = aCluster();
    const informer = new Informers(cluster).of('configmaps');
    const names = (color: string) => informer.in(byColor, color).map(({ metadata }) => metadata.name);
    for (const name of ['a', 'b']) add(name, 'red');
    await settled();
    expect(names('red')).toEqual(['a', 'b']);
    paint('a', 'blue');
    cluster.remove('configmaps', { metadata: meta('b') });
    await settled();
    expect([names('red'), names('blue')]).toEqual([[], ['a']]);
    expect([informer.count(byColor, 'red'), informer.count(byColor, 'blue')]).toEqual([0, 1]);
  });

  it('is empty until its resource is served, and again when it no longer is', async () => {
    const { cluster } = aCluster();
    const informer = new Informers(cluster).of('machines.cluster.x-k8s.io');
    expect(informer.size).toBe(0);
    const definition = aDefinition('cluster.x-k8s.io', 'Machine');
    const definitions = 'customresourcedefinitions.apiextensions.k8s.io';
    cluster.create(definitions, definition);
    await settled();
    const machine = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata: meta('m') };
    cluster.create('machines.cluster.x-k8s.io', machine);
    await settled();
    expect(informer.size).toBe(1);
    cluster.patch('machines.cluster.x-k8s.io', machine, { spec: { providerID: 'told late' } });
    cluster.remove(definitions, definition);
    await settled();
    expect(informer.size).toBe(0);
  });

  it('keeps quiet once it has stopped', async () => {
    const { cluster, add } = aCluster();
    const informers = new Informers(cluster);
    let changes = 0;
    informers.of('configmaps').onChange(() => {
      changes += 1;
    });
    informers.stop();
    add('a', 'red');
    await settled();
    expect(changes).toBe(0);
  });
});
