import { describe, expect, it } from 'vitest';
import { clusterApiDefinitions } from '../../../../../infra/local/kubernetes/crds/cluster-api.ts';
import { ApiError, type ChangeEvent } from '../../../../../infra/local/kubernetes/objects/cluster.ts';
import { createApiServer } from '../../../../../infra/local/kubernetes/server/api-server.ts';
import { VirtualClock } from '../../../../golden/kubernetes/virtual-clock.ts';

const definitions = 'customresourcedefinitions.apiextensions.k8s.io';
const pod = (name: string, nodeName = 'n1') => ({
  metadata: { name, namespace: 'default' },
  spec: { nodeName, containers: [{ name: 'c', image: 'img:1' }] },
});

function start() {
  const clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
  const server = createApiServer({ clock });
  return { clock, server, cluster: server.cluster };
}

function refusalOf(run: () => unknown): { code: number; reason: string } {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, reason: error.reason };
    throw error;
  }
  throw new Error('nothing was refused');
}

/** Name and UID of an object that leaves both to the server. */
function made() {
  let state = 1;
  const random = () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const { cluster } = createApiServer({ clock: new VirtualClock(0), random });
  const metadata = { name: '', generateName: 'x-', namespace: 'default' };
  const { name, uid } = cluster.create('configmaps', { metadata }).metadata;
  return { name, uid };
}

describe('the cluster in the same process', () => {
  it('tells of a change after the write has been answered, and in order', async () => {
    const { cluster } = start();
    const told: string[] = [];
    cluster.watch('pods', ({ type, object }) => told.push(`${type} ${object.metadata.name}`));
    const created = cluster.create('pods', pod('a'));
    cluster.remove('pods', created, { gracePeriodSeconds: 0 });
    expect(told).toEqual([]);
    await Promise.resolve();
    expect(told).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
  });

  it('tells nothing more to those who have stopped listening', async () => {
    const { cluster } = start();
    const told: ChangeEvent[] = [];
    const stop = cluster.watch('pods', (event) => told.push(event));
    cluster.create('pods', pod('a'));
    stop();
    await Promise.resolve();
    expect(told).toEqual([]);
  });

  it('lists by selector, in the order of names', () => {
    const { cluster } = start();
    for (const name of ['c', 'a', 'b']) cluster.create('pods', pod(name, name === 'b' ? 'n2' : 'n1'));
    const found = cluster.list('pods', { fieldSelector: 'spec.nodeName=n1' });
    expect(found.map(({ metadata }) => metadata.name)).toEqual(['a', 'c']);
  });

  it('hands out objects that cannot be changed', () => {
    const { cluster } = start();
    const created = cluster.create('pods', pod('a'));
    expect(() => {
      created.metadata.labels = { changed: 'yes' };
    }).toThrow(TypeError);
    expect(cluster.get('pods', 'default', 'a')?.metadata.labels).toBeUndefined();
  });

  it('keeps the resourceVersion when a patch changes nothing', () => {
    const { cluster } = start();
    const created = cluster.create('pods', pod('a'));
    const patched = cluster.patch('pods', created, { metadata: { labels: null } });
    expect(patched.metadata.resourceVersion).toBe(created.metadata.resourceVersion);
  });

  it.each([
    ['a second object of the same name', 409, 'AlreadyExists'],
    ['an object in a namespace that does not exist', 404, 'NotFound'],
  ])('refuses %s', (what, code, reason) => {
    const { cluster } = start();
    cluster.create('pods', pod('a'));
    const namespace = what.includes('namespace') ? 'nowhere' : 'default';
    const again = { ...pod('a'), metadata: { name: 'a', namespace } };
    expect(refusalOf(() => cluster.create('pods', again))).toEqual({ code, reason });
  });

  it('refuses to remove another object of the same name', () => {
    const { cluster } = start();
    const created = cluster.create('pods', pod('a'));
    const run = () => cluster.remove('pods', created, { preconditions: { uid: 'another' } });
    expect(refusalOf(run)).toEqual({ code: 409, reason: 'Conflict' });
  });

  it('serves custom resources from the moment they are defined until they are not', () => {
    const { cluster } = start();
    expect(cluster.resources()).not.toContain('machines.cluster.x-k8s.io');
    for (const definition of clusterApiDefinitions()) cluster.create(definitions, definition);
    expect(cluster.resources()).toContain('machines.cluster.x-k8s.io');
    const machines = cluster.get(definitions, undefined, 'machines.cluster.x-k8s.io');
    cluster.remove(definitions, machines!);
    expect(cluster.resources()).not.toContain('machines.cluster.x-k8s.io');
    expect(() => cluster.list('machines.cluster.x-k8s.io')).toThrow('no such resource is served');
  });

  it('gives the same names and UIDs from the same source of randomness', () => {
    expect(made()).toEqual(made());
    expect(made().name).toMatch(/^x-[a-z0-9]{5}$/);
  });
});

describe('the count of requests', () => {
  it('tells verbs, resources and subresources apart', () => {
    const { server, cluster } = start();
    cluster.create('pods', pod('a'));
    const pods = '/api/v1/namespaces/default/pods';
    server.respond({ method: 'GET', path: pods });
    server.respond({ method: 'GET', path: pods });
    server.respond({ method: 'GET', path: pods, query: { watch: 'true' } }).stream?.close();
    server.respond({ method: 'POST', path: `${pods}/a/eviction`, body: '{}' });
    server.respond({ method: 'GET', path: '/version' });
    expect(server.requests()).toEqual([
      { verb: 'list', resource: 'pods', count: 2 },
      { verb: 'watch', resource: 'pods', count: 1 },
      { verb: 'create', resource: 'pods/eviction', count: 1 },
      { verb: 'get', resource: '', count: 1 },
    ]);
  });
});
