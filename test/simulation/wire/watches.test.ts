import { describe, expect, test } from 'vitest';
import { settled } from '../../golden/kubernetes/virtual-clock.ts';
import { configMaps, type Desk, desk } from './desk.ts';
import { refusals } from './invented.ts';
import type { Meddling } from './meddling.ts';

interface Watched {
  told: string[];
  stop: () => void;
}

/** Watches from the version of now on; whatever is told stands in `told`. */
async function watched({ kubernetes, server }: Desk): Promise<Watched> {
  const { resourceVersion = '' } = server.cluster.create('configmaps', {
    metadata: { name: 'before', namespace: 'default' },
  }).metadata;
  const told: string[] = [];
  const stop = kubernetes.watch(configMaps, { namespace: 'default' }, resourceVersion, {
    changed: (type, { metadata }) => told.push(`${type} ${metadata.name}`),
    ended: (expired) => told.push(expired ? 'expired' : 'ended'),
  });
  await settled();
  return { told, stop };
}

async function make({ server }: Desk, ...names: string[]): Promise<void> {
  for (const name of names) server.cluster.create('configmaps', { metadata: { name, namespace: 'default' } });
  await settled();
}

const only = ({ wire }: Desk) => {
  const [watch, ...others] = wire.watches();
  if (watch === undefined || others.length > 0) throw new Error(`there are ${others.length + 1} watches`);
  return watch;
};

describe('a watch', () => {
  test('tells of changes in order, each on its own', async () => {
    const at = desk();
    const { told } = await watched(at);
    at.hold = true;
    await make(at, 'b', 'c');
    expect(told).toEqual([]);
    await at.letOne();
    expect(told).toEqual(['ADDED b']);
    await at.letOne();
    expect(told).toEqual(['ADDED b', 'ADDED c']);
    expect(at.steps).toEqual([
      'watch configmaps default of management by one',
      'answer to watch configmaps default of management by one',
      'line of watch configmaps default of management by one',
      'line of watch configmaps default of management by one',
    ]);
  });

  test('is ended by the server after its time', async () => {
    const at = desk();
    const { told } = await watched(at);
    await at.clock.advance(299_000);
    expect(told).toEqual([]);
    await at.clock.advance(1_000);
    expect(told).toEqual(['ended']);
    expect(at.wire.watches()).toEqual([]);
  });

  test('that goes silent tells nothing, and is given up when it is older than it may be', async () => {
    const at = desk();
    const { told } = await watched(at);
    await make(at, 'b');
    only(at).silence();
    await make(at, 'c');
    await at.clock.advance(309_000);
    expect(told).toEqual(['ADDED b']);
    await at.clock.advance(1_000);
    expect(told).toEqual(['ADDED b', 'ended']);
  });

  test('that is cut ends, and what is on its way is lost', async () => {
    const at = desk();
    const { told } = await watched(at);
    at.hold = true;
    await make(at, 'b', 'c');
    only(at).cut();
    await make(at, 'd');
    await at.letOne();
    expect(told).toEqual(['ended']);
    expect(at.wire.watches()).toEqual([]);
  });

  test('that expires says so after what is on its way', async () => {
    const at = desk();
    const { told } = await watched(at);
    at.hold = true;
    await make(at, 'b');
    only(at).expire();
    await make(at, 'c');
    for (let line = 0; line < 2; line += 1) await at.letOne();
    expect(told).toEqual(['ADDED b', 'expired']);
    expect(at.wire.watches()).toEqual([]);
  });

  test('may tell what is not so', async () => {
    const at = desk();
    const { told } = await watched(at);
    const watch = only(at);
    const object = at.server.cluster.get('configmaps', 'default', 'a');
    watch.claim(`${JSON.stringify({ type: 'DELETED', object })}\n`);
    await settled();
    expect(told).toEqual(['DELETED a']);
    watch.silence();
    watch.claim(`${JSON.stringify({ type: 'ADDED', object })}\n`);
    await settled();
    expect(told).toEqual(['DELETED a']);
  });

  test('that is stopped tells nothing more, and the server sees it go', async () => {
    const at = desk();
    const { told, stop } = await watched(at);
    stop();
    await make(at, 'b');
    await at.clock.advance(400_000);
    expect(told).toEqual([]);
    expect(at.wire.watches()).toEqual([]);
    expect(at.steps).toHaveLength(2);
  });

  test('that is over is no longer meddled with', async () => {
    const at = desk();
    const { told } = await watched(at);
    const watch = only(at);
    watch.cut();
    await settled();
    watch.expire();
    watch.cut();
    watch.silence();
    await settled();
    expect(told).toEqual(['ended']);
    expect(at.steps).toHaveLength(3);
  });

  test.each<[string, Meddling, string[], string[]]>([
    ['silent from the start', { watch: 'silent' }, [], ['watch 200']],
    ['cut at once', { watch: 'cut' }, ['ended'], ['watch 200']],
    ['too old at once', { watch: 'expired' }, ['expired'], ['watch 200']],
    ['refused', 'refused', ['ended'], ['watch unasked']],
    ['answered as too old', { answer: refusals.expired }, ['expired'], ['watch unasked']],
    ['answered by a server in trouble', { answerAfter: refusals.unavailable }, ['ended'], ['watch 200']],
    ['not answered', { silent: 'before' }, [], ['watch unasked']],
    ['no read: what is meant for lists does nothing', { pages: 1 }, ['ADDED b'], ['watch 200']],
    ['no read: it cannot be stale', { stale: 1 }, ['ADDED b'], ['watch 200']],
  ])('may be %s', async (_, meddling, expected, seen) => {
    const at = desk(meddling);
    const { told } = await watched(at);
    await make(at, 'b');
    expect(told).toEqual(expected);
    expect(at.seen).toEqual(seen);
  });

  test.each<['before' | 'after', string]>([
    ['before', 'watch unasked'],
    ['after', 'watch 200'],
  ])('that is broken %s it is answered is opened once more', async (lost, seen) => {
    const [once, twice] = [desk({ lost }), desk({ lost }, { lost })];
    const told = [];
    for (const at of [once, twice]) {
      const watch = await watched(at);
      await make(at, 'b');
      told.push(watch.told);
    }
    expect(told).toEqual([['ADDED b'], ['ended']]);
    expect([once.seen, twice.seen]).toEqual([
      [seen, 'watch 200'],
      [seen, seen],
    ]);
  });

  test.each<[string, Meddling]>([
    ['answered in another way', { answerAfter: refusals.unavailable }],
    ['broken', { lost: 'after' }],
    ['silent', { silent: 'after' }],
  ])('that nobody hears of, as it is %s, is closed at the server', async (_, meddling) => {
    const at = desk(meddling);
    const respond = at.server.respond.bind(at.server);
    let closed = 0;
    at.server.respond = (request) => {
      const answer = respond(request);
      const { stream } = answer;
      if (stream === undefined) return answer;
      return { ...answer, stream: { read: () => undefined, close: () => void (closed += 1) } };
    };
    await watched(at);
    expect(closed).toBe(1);
  });

  test('that is never answered is given up when it is older than it may be', async () => {
    const at = desk({ silent: 'before' });
    const { told } = await watched(at);
    await at.clock.advance(310_000);
    expect(told).toEqual(['ended']);
  });

  test('of a stale list tells what the list does not show', async () => {
    const at = desk();
    await make(at, 'b', 'c');
    at.meddlings.push({ stale: 2 });
    const { items, resourceVersion } = await at.kubernetes.list(configMaps, { namespace: 'default' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['a']);
    const told: string[] = [];
    at.kubernetes.watch(configMaps, { namespace: 'default' }, resourceVersion, {
      changed: (type, { metadata }) => told.push(`${type} ${metadata.name}`),
      ended: () => undefined,
    });
    await settled();
    expect(told).toEqual(['ADDED b', 'ADDED c']);
  });
});
