import { describe, expect, test } from 'vitest';
import {
  type ApiServerSourceOptions,
  startApiServerSource,
} from '../../../../infra/local/eventing/api-server-source.ts';
import type { WatchedApi } from '../../../../infra/local/eventing/follow-changes.ts';
import type { WatchListener } from '../../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { eventHeaders, recordedLines, recording, withoutMoments } from './recording.ts';
import { type Answer, scriptedPost } from './scripted-post.ts';
import { virtualClock } from './virtual-clock.ts';

const sink = 'http://sink/';

const aMachine = (resourceVersion: string, name = 'm-1'): KubeObject => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name, namespace: 'ns', resourceVersion },
});

/** An API server whose watches are led by the test. */
function aLedApi(versions: string[]) {
  const watches: {
    from: string;
    listener: WatchListener;
    namespace: string | undefined;
    stopped: boolean;
  }[] = [];
  let lists = 0;
  const api: WatchedApi = {
    list: () => {
      const resourceVersion = versions[lists++];
      if (resourceVersion === undefined) return Promise.reject(new Error('connection refused'));
      return Promise.resolve({ items: [aMachine(resourceVersion)], resourceVersion });
    },
    watch: (_resource, { namespace }, from, listener) => {
      const watch = { from, listener, namespace, stopped: false };
      watches.push(watch);
      return () => {
        watch.stopped = true;
      };
    },
  };
  return { api, watches, latest: () => watches.at(-1)!, lists: () => lists };
}

async function following(
  options: {
    versions?: string[];
    answer?: Answer | (() => Answer);
    source?: Partial<ApiServerSourceOptions['source']>;
  } = {},
) {
  const clock = virtualClock();
  const network = scriptedPost(clock, { [sink]: options.answer ?? {} });
  const led = aLedApi(options.versions ?? ['100']);
  const dropped: string[] = [];
  const stop = startApiServerSource({
    source: {
      name: 'machines',
      namespace: 'knfacts',
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      plural: 'machines',
      ...options.source,
    },
    apiUrl: 'https://127.0.0.1:17443',
    api: led.api,
    sink,
    clock,
    random: () => 0,
    post: network.post,
    onDropped: (reason) => dropped.push(reason),
  });
  await clock.settle();
  const versions = () =>
    network.to(sink).map(({ body }) => JSON.parse(Buffer.from(body).toString()).metadata.resourceVersion);
  return { clock, network, ...led, dropped, stop, versions };
}

describe('what a change looks like equals the recording', () => {
  test.each([
    ['resource/add.json', 'ADDED'],
    ['resource/update-metadata.json', 'MODIFIED'],
    ['resource/update-status.json', 'MODIFIED'],
    ['resource/update-deletionTimestamp-set.json', 'MODIFIED'],
    ['resource/delete-final-after-finalizer-removed.json', 'DELETED'],
    ['resource/delete-no-finalizer.json', 'DELETED'],
    ['selector/add.json', 'ADDED'],
    ['selector/false-delete-object-left-label-selector.json', 'DELETED'],
    ['reference/add.json', 'ADDED'],
    ['reference/update.json', 'MODIFIED'],
    ['reference/delete.json', 'DELETED'],
    ['v1beta1-allns-owner-ceoverrides/add.json', 'ADDED'],
    ['v1beta1-allns-owner-ceoverrides/update-deletionTimestamp-set.json', 'MODIFIED'],
  ] as const)('%s', async (path, type) => {
    const recorded = recording(`apiserversource/${path}`);
    const headers = eventHeaders(recorded);
    const origin = headers['Ce-Origin'];
    const source = {
      apiVersion: headers['Ce-Apiversion']!,
      ...(path.startsWith('reference') && { mode: 'Reference' as const }),
      ...(origin !== undefined && { ceOverrides: { extensions: { origin } } }),
    };
    const { clock, network, latest, stop } = await following({ source });
    const body = JSON.parse(recorded.bodyRaw);
    const object = body.metadata ? body : { metadata: { name: body.name, namespace: body.namespace } };
    latest().listener.changed(type, object);
    await clock.settle();
    stop();

    const [sent] = network.to(sink);
    expect(withoutMoments(sent!.headers)).toEqual(withoutMoments(headers));
    expect(Buffer.from(sent!.body).toString()).toBe(recorded.bodyRaw);
  });

  test('of an object without a namespace', async () => {
    const { clock, network, latest, stop } = await following({
      source: { apiVersion: 'v1', kind: 'Node', plural: 'nodes' },
    });
    latest().listener.changed('ADDED', { metadata: { name: 'n-1', resourceVersion: '7' } });
    await clock.settle();
    stop();
    const { headers } = network.to(sink)[0]!;
    expect(headers).toMatchObject({
      'Ce-Subject': '/apis/v1/namespaces//nodes/n-1',
      'Ce-Apiversion': 'v1',
      'Ce-Namespace': '',
    });
  });
});

describe('what is sent', () => {
  test('nothing that existed at the start', async () => {
    const { network, latest, stop } = await following();
    stop();
    expect(latest().from).toBe('100');
    expect(network.to(sink)).toEqual([]);
  });

  test('one change at a time, in order', async () => {
    const { clock, latest, versions, stop } = await following({ answer: { hangs: true } });
    for (const version of ['101', '102', '103']) latest().listener.changed('MODIFIED', aMachine(version));
    await clock.settle();
    expect(versions()).toEqual(['101']);
    stop();
    await clock.settle();
    expect(versions()).toEqual(['101']);
  });

  test('a change behind one that failed, after its retries', async () => {
    let requests = 0;
    const answer = () => (requests++ < 6 ? { status: 503 } : {});
    const { clock, latest, versions, dropped, stop } = await following({ answer });
    for (const version of ['101', '102']) latest().listener.changed('MODIFIED', aMachine(version));
    await clock.until(clock.now() + 4000);
    stop();
    expect(versions()).toEqual(['101', '101', '101', '101', '101', '101', '102']);
    expect(dropped).toEqual(['status 503']);
  });

  test('one reflector for each namespace that is named', async () => {
    const { watches, stop } = await following({
      versions: ['100', '100'],
      source: { namespaces: ['a', 'b'] },
    });
    stop();
    expect(watches.map(({ namespace }) => namespace)).toEqual(['a', 'b']);
  });
});

const byStatus = [
  { answer: 500, attempts: 1 },
  { answer: 502, attempts: 6 },
  { answer: 503, attempts: 6 },
  { answer: 504, attempts: 6 },
  { answer: 404, attempts: 6 },
  { answer: 408, attempts: 1 },
  { answer: 409, attempts: 1 },
  { answer: 413, attempts: 6 },
  { answer: 425, attempts: 6 },
  { answer: 429, attempts: 6 },
  { answer: 400, attempts: 1 },
  { answer: 401, attempts: 1 },
  { answer: 403, attempts: 1 },
  { answer: 302, attempts: 1 },
  { answer: 'reset' as const, attempts: 6 },
];

describe('which answers are retried, as measured', () => {
  test('the table is the recorded one', () => {
    const recorded = recordedLines('apiserver-adapter-retry-by-status.txt').map((line) => {
      const [, answer, attempts, ids] = /^status "?(\w+)"?: attempts=(\d) .* ids=(\d)$/.exec(line) ?? [];
      return [answer, Number(attempts), Number(ids)];
    });
    expect(byStatus.map(({ answer, attempts }) => [String(answer), attempts, 1])).toEqual(recorded);
  });

  test.each(byStatus)('$answer: $attempts attempts with one id', async ({ answer, attempts }) => {
    const { clock, network, latest, dropped, stop } = await following({
      answer: answer === 'reset' ? { reset: true } : { status: answer },
    });
    latest().listener.changed('ADDED', aMachine('101'));
    await clock.until(clock.now() + 4000);
    stop();
    const ids = new Set(network.to(sink).map(({ headers }) => headers['Ce-Id']));
    expect({ attempts: network.to(sink).length, ids: ids.size }).toEqual({ attempts, ids: 1 });
    expect(network.gaps(sink)).toEqual(attempts === 1 ? [] : [100, 200, 400, 800, 1600]);
    expect(dropped).toEqual([answer === 'reset' ? 'EOF' : `status ${answer}`]);
  });
});

describe('broken connections', () => {
  test('a watch that ended goes on behind the last change, at once if it had lasted', async () => {
    const { clock, latest, lists, dropped, stop } = await following();
    latest().listener.changed('MODIFIED', aMachine('105'));
    await clock.until(clock.now() + 300_000);
    latest().listener.ended(false);
    await clock.settle();
    stop();
    expect({ from: latest().from, lists: lists(), dropped }).toEqual({ from: '105', lists: 1, dropped: [] });
  });

  test('one that ends at once is opened again after pauses that double', async () => {
    const { clock, watches, stop } = await following();
    const opened = [];
    for (let round = 0; round < 7; round++) {
      watches.at(-1)!.listener.ended(false);
      const before = clock.now();
      const count = watches.length;
      while (watches.length === count) await clock.until(clock.now() + 100);
      opened.push(clock.now() - before);
    }
    stop();
    expect(opened).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000]);
  });

  test('a resourceVersion that is too old is a gap: what happened meanwhile is never sent', async () => {
    const { clock, network, latest, dropped, stop } = await following({ versions: ['100', '900'] });
    latest().listener.ended(true);
    await clock.until(clock.now() + 800);
    stop();
    expect(latest().from).toBe('900');
    expect(network.to(sink)).toEqual([]);
    expect(dropped).toEqual(['the resourceVersion was too old: changes in between are lost']);
  });

  test('a list that fails is tried again until it is answered', async () => {
    const { clock, watches, lists, stop } = await following({ versions: [] });
    await clock.until(clock.now() + 3000);
    stop();
    expect({ lists: lists(), watches: watches.length }).toEqual({ lists: 3, watches: 0 });
  });

  test('stopping ends the watch and leaves nothing behind', async () => {
    const { clock, latest, stop } = await following();
    stop();
    await clock.settle();
    expect({ stopped: latest().stopped, pending: clock.pending() }).toEqual({ stopped: true, pending: 0 });
  });
});
