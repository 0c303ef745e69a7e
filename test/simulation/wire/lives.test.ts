import { describe, expect, test } from 'vitest';
import { settled } from '../../golden/kubernetes/virtual-clock.ts';
import { configMaps, type Desk, desk, outcome, read, write } from './desk.ts';

/** The lines of a watch of all ConfigMaps. */
async function watched({ kubernetes, server }: Desk): Promise<string[]> {
  const told: string[] = [];
  const { resourceVersion = '' } = server.cluster.get('configmaps', 'default', 'a')!.metadata;
  kubernetes.watch(configMaps, {}, resourceVersion, {
    changed: (type, { metadata }) => told.push(`${type} ${metadata.name}`),
    ended: () => told.push('ended'),
  });
  await settled();
  return told;
}

describe('a request', () => {
  test('arrives and is answered when the scheduler lets it', async () => {
    const at = desk();
    at.hold = true;
    const asked = write(at);
    expect(await outcome(at, asked, 1)).toBe('nothing');
    expect(at.stored()).toBe('old');
    await at.letOne();
    expect(at.stored()).toBe('new');
    expect(await outcome(at, asked, 1)).toBe('nothing');
    await at.letOne();
    expect(await outcome(at, asked, 1)).toBe('written');
    expect(at.steps).toEqual([
      'patch configmaps default/a of management by one',
      'answer to patch configmaps default/a of management by one',
    ]);
  });

  test('that is given up on its way does not arrive any more', async () => {
    const at = desk();
    at.hold = true;
    expect(await outcome(at, write(at), 11)).toMatch(/no answer within 10 s$/);
    await at.letOne();
    expect(at.stored()).toBe('old');
    expect(at.seen).toEqual([]);
  });

  test('whose answer is slower than its time is given up, and was done', async () => {
    const at = desk();
    at.hold = true;
    const asked = write(at);
    await settled();
    await at.letOne();
    expect(await outcome(at, asked, 11)).toMatch(/no answer within 10 s$/);
    await at.letOne();
    expect(at.stored()).toBe('new');
  });

  test('may overtake another one', async () => {
    const at = desk();
    const waiting: (() => void)[] = [];
    at.wait = (label) =>
      label.startsWith('patch') && waiting.length === 0
        ? new Promise((resolve) => waiting.push(resolve))
        : Promise.resolve();
    const [first, second] = [write(at, 'first'), write(at, 'second')];
    expect(await outcome(at, second, 1)).toBe('written');
    expect(at.stored()).toBe('second');
    for (const arrive of waiting) arrive();
    expect(await outcome(at, first, 1)).toBe('written');
    expect(at.stored()).toBe('first');
  });
});

describe('of an instance that dies', () => {
  test('nothing arrives that is on its way', async () => {
    const at = desk();
    at.hold = true;
    const asked = write(at);
    await settled();
    at.wire.die();
    await at.letOne();
    expect(await outcome(at, asked)).toBe('nothing');
    expect(at.stored()).toBe('old');
  });

  test('no answer is learnt of, whatever was done', async () => {
    const at = desk();
    at.hold = true;
    const asked = write(at);
    await settled();
    await at.letOne();
    at.wire.die();
    await at.letOne();
    expect(await outcome(at, asked)).toBe('nothing');
    expect(at.stored()).toBe('new');
  });

  test('nothing leaves any more', async () => {
    const at = desk();
    at.wire.die();
    expect(await outcome(at, read(at))).toBe('nothing');
    expect(at.steps).toEqual([]);
  });

  test('watches are closed at the server, and it learns of nothing', async () => {
    const at = desk();
    const told = await watched(at);
    at.wire.die();
    at.server.cluster.create('configmaps', { metadata: { name: 'b', namespace: 'default' } });
    await at.clock.advance(400_000);
    expect(told).toEqual([]);
    expect(at.wire.watches()).toEqual([]);
    expect(at.steps).toHaveLength(2);
  });

  test('a late request does not arrive', async () => {
    const at = desk({ silent: 'late' });
    const asked = write(at);
    await settled();
    at.wire.die();
    expect(await outcome(at, asked)).toBe('nothing');
    expect(at.stored()).toBe('old');
  });

  test('connections can be closed', async () => {
    const at = desk();
    at.hold = true;
    void write(at);
    await settled();
    at.wire.die();
    await expect(at.kubernetes.close()).resolves.toBeUndefined();
  });
});

describe('a connection that is closed', () => {
  test('lets what is under way finish, takes nothing more, and ends watches', async () => {
    const at = desk();
    const told = await watched(at);
    at.hold = true;
    const asked = write(at);
    await settled();
    const closed = at.kubernetes.close().then(() => 'closed');
    await settled();
    expect(told).toEqual(['ended']);
    expect(await outcome(at, closed, 1)).toBe('nothing');
    await at.letOne();
    await at.letOne();
    expect(await outcome(at, asked, 1)).toBe('written');
    expect(await outcome(at, closed, 1)).toBe('closed');
    expect(await outcome(at, read(at), 1)).toMatch(/the connection was closed$/);
  });

  test('leaves others of the same instance as they are', async () => {
    const at = desk();
    const told = await watched(at);
    await at.connectTo('management').close();
    expect(await outcome(at, read(at), 1)).toBe('old');
    expect(told).toEqual([]);
  });
});
