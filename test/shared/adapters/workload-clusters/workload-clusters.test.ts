import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import {
  type ConnectedWorkloadClusters,
  createWorkloadClusters,
} from '../../../../shared/adapters/workload-clusters/workload-clusters.ts';
import type {
  Key,
  Kubernetes,
  Resource,
  WorkloadCluster,
  WorkloadRef,
} from '../../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { daemonSets, nodes, secrets } from '../../../../shared/kubernetes/resources.ts';
import { watchedApi } from '../../reconcile/watches.ts';
import {
  failure,
  json,
  kubeConfigText,
  type LocalServer,
  type Respond,
  startServer,
  success,
} from '../kubernetes/local-server.ts';
import { type ManualClock, manualClock } from '../kubernetes/manual-clock.ts';

const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } };
const healthy: Respond = (_, response) => json(response, 200, node);

/** A management cluster that serves Secrets alone. */
class Management {
  secret: KubeObject | undefined;
  reads: [Resource, Key][] = [];
  fails: Error | undefined;

  put(version: string, text: string): void {
    const value = Buffer.from(text).toString('base64');
    this.secret = { metadata: { name: 'c-kubeconfig', resourceVersion: version }, data: { value } };
  }

  readonly api: Kubernetes = {
    ...watchedApi().api,
    get: async (resource, key) => {
      this.reads.push([resource, key]);
      if (this.fails !== undefined) throw this.fails;
      return this.secret;
    },
  };
}

const inNs: WorkloadRef = { kind: 'cluster', namespace: 'ns', clusterName: 'c' };
const elsewhere: WorkloadRef = { ...inNs, namespace: 'elsewhere' };

let clock: ManualClock;
let management: Management;
let clusters: ConnectedWorkloadClusters;
let server: LocalServer;
let respond: Respond;

beforeEach(async () => {
  clock = manualClock();
  management = new Management();
  clusters = createWorkloadClusters(management.api, { clock, evictions: { burst: 3, perSecond: 1 } });
  respond = healthy;
  server = await startServer((request, response, count) => respond(request, response, count));
  management.put('1', kubeConfigText(server.url));
});

afterEach(async () => {
  await clusters.close();
  await server[Symbol.asyncDispose]();
});

const look = async (): Promise<KubeObject | undefined> => (await clusters.of(inNs)).get(nodes, { name: 'n' });
const lookInVain = async (): Promise<string> =>
  look().then(
    () => 'looked',
    (error: unknown) => (error instanceof Unavailable ? error.message : String(error)),
  );

/** Until the watch is over. */
const watchOnce = async (cluster?: Kubernetes): Promise<void> => {
  const api = cluster ?? (await clusters.of(inNs));
  await new Promise<void>((resolve) => {
    api.watch(nodes, {}, '1', { changed: () => undefined, ended: () => resolve() });
  });
};

/** The Secret points to an address without a listener. */
async function goDown(): Promise<LocalServer> {
  const gone = await startServer(healthy);
  await gone[Symbol.asyncDispose]();
  management.put('1', kubeConfigText(gone.url));
  return gone;
}

describe('the Secret', () => {
  test('is read once for many Machines, even when they come at the same time', async () => {
    await Promise.all([look(), look(), look()]);
    await look();
    expect(management.reads).toEqual([[secrets, { namespace: 'ns', name: 'c-kubeconfig' }]]);
    expect(await clusters.of(inNs)).toBe(await clusters.of(inNs));
  });

  test('has the whole name of the cluster, dots and all', async () => {
    await clusters.of({ ...inNs, clusterName: 'c.eu.example' });
    expect(management.reads).toEqual([[secrets, { namespace: 'ns', name: 'c.eu.example-kubeconfig' }]]);
  });

  test('is another one for a cluster of the same name in another namespace', async () => {
    const here = await clusters.of(inNs);
    await using other = await startServer(healthy);
    management.put('2', kubeConfigText(other.url));
    const there = await clusters.of(elsewhere);
    await there.get(nodes, { name: 'n' });
    expect([server.seen.length, other.seen.length]).toEqual([0, 1]);
    await here.get(nodes, { name: 'n' });
    expect([server.seen.length, other.seen.length]).toEqual([1, 1]);
    expect(management.reads.map(([, { namespace }]) => namespace)).toEqual(['ns', 'elsewhere']);
  });

  test('is read again after ten minutes, and the connection kept while it is the same', async () => {
    const before = await clusters.of(inNs);
    await clock.advance(600_000);
    expect(await clusters.of(inNs)).toBe(before);
    expect(management.reads).toHaveLength(2);
  });

  test('is read again after ten minutes by a clock that was set back, too', async () => {
    await look();
    clock.setBack(3_600_000);
    await clock.advance(599_999);
    await look();
    expect(management.reads).toHaveLength(1);
    await clock.advance(1);
    await look();
    expect(management.reads).toHaveLength(2);
  });

  test('with another resourceVersion means another connection', async () => {
    await look();
    await using other = await startServer(healthy);
    management.put('2', kubeConfigText(other.url));
    await clock.advance(600_000);
    await look();
    expect([server.seen.length, other.seen.length]).toEqual([1, 1]);
  });

  test('is read again after the credentials were refused', async () => {
    respond = ({ headers }, response) =>
      headers.authorization === 'Bearer new'
        ? json(response, 200, node)
        : json(response, 401, failure(401, 'Unauthorized', 'Unauthorized'));
    expect(await lookInVain()).toContain('401 Unauthorized');
    management.put('2', kubeConfigText(server.url, { token: 'new' }));
    expect(await look()).toEqual(node);
    expect(management.reads).toHaveLength(2);
  });

  test('that is the same after the credentials were refused is read once, not by everybody', async () => {
    respond = (_, response) => json(response, 401, failure(401, 'Unauthorized', 'Unauthorized'));
    expect(await lookInVain()).toContain('401 Unauthorized');
    const before = await clusters.of(inNs);
    expect(await clusters.of(inNs)).toBe(before);
    expect(management.reads).toHaveLength(2);
  });

  test('with another resourceVersion means that the former connection is closed', async () => {
    const former = await clusters.of(inNs);
    management.put('2', kubeConfigText(server.url));
    await clock.advance(600_000);
    await clusters.of(inNs);
    await expect(former.get(nodes, { name: 'n' })).rejects.toThrow('the connection was closed');
  });

  describe('is read again where a Node is not there', () => {
    const absences: [string, (api: WorkloadCluster) => Promise<unknown>][] = [
      ['by its name', (api) => api.get(nodes, { name: 'n' })],
      ['in the list', (api) => api.list(nodes)],
    ];
    const empty = { kind: 'NodeList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [] };

    beforeEach(() => {
      respond = ({ path }, response) =>
        path.endsWith('/n')
          ? json(response, 404, failure(404, 'NotFound', 'not found', { name: 'n' }))
          : json(response, 200, empty);
    });

    test.each(absences)('%s: a cluster that was left for another one may still answer', async (_, absent) => {
      const left = await clusters.of(inNs);
      await using other = await startServer(healthy);
      management.put('2', kubeConfigText(other.url));
      await clock.advance(5_000);
      await expect(absent(left)).rejects.toEqual(
        new Unavailable('Secret ns/c-kubeconfig has changed: whether a Node is there has to be asked again'),
      );
      expect(await look()).toEqual(node);
    });

    test.each(absences)('%s, and believed where it is the same', async (_, absent) => {
      const api = await clusters.of(inNs);
      await clock.advance(5_000);
      await absent(api);
      expect(management.reads).toHaveLength(2);
      await clock.advance(4_999);
      await absent(api);
      expect(management.reads).toHaveLength(2);
    });

    test.each(absences)('%s, which nobody can tell while it cannot be read', async (_, absent) => {
      const api = await clusters.of(inNs);
      await clock.advance(5_000);
      management.fails = new Unavailable('no answer');
      await expect(absent(api)).rejects.toThrow('no answer');
    });

    test('and not where another object is not there', async () => {
      const api = await clusters.of(inNs);
      await clock.advance(5_000);
      expect(await api.get(daemonSets, { namespace: 'ns', name: 'n' })).toBeUndefined();
      expect(management.reads).toHaveLength(1);
    });
  });

  test('that is missing is named', async () => {
    management.secret = undefined;
    expect(await lookInVain()).toBe('Secret ns/c-kubeconfig does not exist');
  });

  test('that is broken is named, with what is wrong', async () => {
    management.put('1', kubeConfigText(server.url, { exec: { command: 'sh' } }));
    expect(await lookInVain()).toBe(
      'Secret ns/c-kubeconfig key "value" must be self-contained: user "u" uses exec',
    );
    management.put('2', kubeConfigText(server.url));
    expect(await look()).toEqual(node);
  });

  test('that cannot be read is no reason to forget how', async () => {
    management.fails = new Unavailable('GET secrets: 500');
    expect(await lookInVain()).toBe('GET secrets: 500');
    management.fails = undefined;
    expect(await look()).toEqual(node);
  });
});

describe('a cluster that is down', () => {
  test('is asked again after 1 s, 2 s, 4 s ... and in between nobody waits for it', async () => {
    const gone = await goDown();
    const refused = `connect ECONNREFUSED 127.0.0.1:${new URL(gone.url).port}`;
    const down = `connection to the workload cluster is down: ${refused}`;
    for (const seconds of [1, 2, 4]) {
      expect(await lookInVain()).toBe(seconds === 1 ? `GET nodes/n of ${gone.url}: ${refused}` : down);
      expect(await lookInVain()).toBe(down);
      await clock.advance(seconds * 1_000);
    }
  });

  test('is said to be down in the words of Cluster API, from the first look on', async () => {
    await goDown();
    const down = 'error getting client: connection to the workload cluster is down';
    for (let looks = 0; looks < 3; looks += 1)
      await expect(look()).rejects.toMatchObject({ statusText: down });
  });

  test('whose Secret may not be read is said to be down, with the reason', async () => {
    management.fails = new Unavailable('GET secrets: 403 Forbidden no', { statusText: 'no' });
    await expect(look()).rejects.toMatchObject({
      message: 'GET secrets: 403 Forbidden no',
      statusText: 'error getting client: connection to the workload cluster is down: no',
    });
  });

  test('is reached at its new address once the Secret has it', async () => {
    await goDown();
    await lookInVain();
    management.put('2', kubeConfigText(server.url));
    await clock.advance(1_000);
    expect(await look()).toEqual(node);
  });

  test('is asked by everybody at its new address, not by one who tries', async () => {
    await goDown();
    await lookInVain();
    management.put('2', kubeConfigText(server.url));
    await clock.advance(1_000);
    await clusters.of(inNs);
    expect(await lookInVain()).toBe('looked');
  });

  test('at its former address is not down at its new one, whatever is still asked there', async () => {
    respond = (_, response, count) => {
      if (count > 1) json(response, 401, failure(401, 'Unauthorized', 'Unauthorized'));
    };
    const slow = lookInVain();
    await expect.poll(() => server.seen).toHaveLength(1);
    expect(await lookInVain()).toContain('401 Unauthorized');
    await using other = await startServer(healthy);
    management.put('2', kubeConfigText(other.url));
    expect(await look()).toEqual(node);
    await clock.advance(10_000);
    expect(await slow).toContain('no answer within 10 s');
    expect(await lookInVain()).toBe('looked');
    expect(management.reads).toHaveLength(2);
  });

  test('that connects but does not answer reads is down too', async () => {
    respond = () => undefined;
    const first = lookInVain();
    await expect.poll(() => server.seen).toHaveLength(1);
    await clock.advance(10_000);
    expect(await first).toContain('no answer within 10 s');
    expect(await lookInVain()).toBe('connection to the workload cluster is down: no answer within 10 s');
    respond = healthy;
    await clock.advance(1_000);
    expect(await look()).toEqual(node);
    expect(await lookInVain()).toBe('looked');
  });

  test('is said to be down as it went down, whoever tries and whatever comes of it, until it answers', async () => {
    const down = 'connection to the workload cluster is down: no answer within 10 s';
    respond = () => undefined;
    const first = lookInVain();
    await expect.poll(() => server.seen).toHaveLength(1);
    await clock.advance(10_000);
    expect(await first).toBe(`GET nodes/n of ${server.url}: no answer within 10 s`);
    respond = (_, response) => response.destroy();
    await clock.advance(1_000);
    expect(await lookInVain()).toBe(down);
    await clock.advance(2_000);
    const patched = (await clusters.of(inNs)).mergePatch(nodes, { name: 'n' }, {});
    await expect(patched).rejects.toThrow(new Unavailable(down));
    respond = (_, response) => json(response, 403, failure(403, 'Forbidden', 'forbidden'));
    await clock.advance(4_000);
    expect(await lookInVain()).toContain('403');
    respond = (_, response) => response.destroy();
    expect(await lookInVain()).toContain(`GET nodes/n of ${server.url}: `);
  });

  test('is down for writes that cannot reach it as well', async () => {
    const gone = await goDown();
    const cluster = await clusters.of(inNs);
    await expect(cluster.mergePatch(nodes, { name: 'n' }, {})).rejects.toThrow(
      `PATCH nodes/n of ${gone.url}`,
    );
    expect(await lookInVain()).toContain('connection to the workload cluster is down');
  });

  test('is not taken for down because a watch cannot be opened, nor is its Secret read again', async () => {
    respond = (request, response, count) => {
      if (request.query['watch'] === undefined) healthy(request, response, count);
      else response.destroy();
    };
    await look();
    await watchOnce();
    expect(await look()).toEqual(node);
    expect(management.reads).toHaveLength(1);
  });

  test('is up again once a watch is answered', async () => {
    respond = (request, response) => {
      if (request.query['watch'] !== undefined) response.writeHead(200).end();
    };
    const cluster = await clusters.of(inNs);
    const read = lookInVain();
    await expect.poll(() => server.seen).toHaveLength(1);
    await clock.advance(10_000);
    await read;
    expect(await lookInVain()).toContain('connection to the workload cluster is down');
    await watchOnce(cluster);
    respond = healthy;
    expect(await look()).toEqual(node);
  });

  test('is not taken for down because one eviction takes long', async () => {
    respond = (request, response, count) => {
      if (request.method === 'GET') healthy(request, response, count);
    };
    const cluster = await clusters.of(inNs);
    const answer = cluster.evict({ pod: { metadata: { name: 'p', namespace: 'd', uid: 'u' } } });
    await expect.poll(() => server.seen).toHaveLength(1);
    await clock.advance(10_000);
    expect(await answer).toMatchObject({ cause: 'Failed' });
    expect(await look()).toEqual(node);
  });
});

test('the eviction limit outlives connections', async () => {
  let token = 'old';
  respond = ({ headers, method }, response) => {
    if (headers.authorization !== `Bearer ${token}`)
      return json(response, 401, failure(401, 'Unauthorized', 'Unauthorized'));
    return method === 'POST' ? json(response, 201, success) : json(response, 200, node);
  };
  management.put('1', kubeConfigText(server.url, { token: 'old' }));
  const evictions = Array.from({ length: 4 }, (_, n) => ({
    pod: { metadata: { name: `p${n}`, namespace: 'd', uid: `u${n}` } },
  }));
  const before = await clusters.of(inNs);
  const first = await before.evictAll(evictions.slice(0, 3));
  expect([...first.values()]).toEqual([{ kind: 'accepted' }, { kind: 'accepted' }, { kind: 'accepted' }]);

  token = 'new';
  management.put('2', kubeConfigText(server.url, { token: 'new' }));
  expect(await lookInVain()).toContain('401 Unauthorized');
  const after = await clusters.of(inNs);
  expect(after).not.toBe(before);
  const limited = after.evictAll(evictions.slice(3));
  await clock.advance(500);
  // By the time the server answers this an eviction that was not held back has reached it too.
  await look();
  const sent = () => server.seen.filter(({ method }) => method === 'POST').length;
  expect(sent()).toBe(3);
  await clock.advance(9_500);
  expect((await limited).get('u3')).toEqual({ kind: 'accepted' });
});

test.each([0, 86_400_000])(
  'a cluster nobody asked for in an hour is let go of when another one comes: clock set back by %i',
  async (back) => {
    const forgotten = await clusters.of(inNs);
    clock.setBack(back);
    await clock.advance(60 * 60_000 - 1);
    await clusters.of({ ...inNs, clusterName: 'd' });
    expect(await forgotten.get(nodes, { name: 'n' })).toEqual(node);
    await clock.advance(1);
    await clusters.of({ ...inNs, clusterName: 'e' });
    await expect(forgotten.get(nodes, { name: 'n' })).rejects.toThrow('the connection was closed');
    expect(await look()).toEqual(node);
  },
);

test('a cluster is not let go of because it comes itself, after more than an hour', async () => {
  const kept = await clusters.of(inNs);
  await clock.advance(61 * 60_000);
  expect(await clusters.of(inNs)).toBe(kept);
  expect(await look()).toEqual(node);
});

test('all connections are closed together', async () => {
  const one = await clusters.of(inNs);
  const other = await clusters.of(elsewhere);
  await clusters.close();
  for (const cluster of [one, other])
    await expect(cluster.get(nodes, { name: 'n' })).rejects.toThrow('the connection was closed');
});

test('Nodes that live beside their Machines are asked for there, and no Secret is', async () => {
  management.secret = undefined;
  const here = await clusters.of({ kind: 'here' });
  await here.get(nodes, { name: 'n' });
  expect(management.reads).toEqual([[nodes, { name: 'n' }]]);
});

test('a cluster that was asked for meanwhile is kept, however long it is known', async () => {
  const kept = await clusters.of(inNs);
  await clock.advance(30 * 60_000);
  await clusters.of(inNs);
  await clock.advance(30 * 60_000);
  await clusters.of({ ...inNs, clusterName: 'd' });
  expect(await kept.get(nodes, { name: 'n' })).toEqual(node);
});
