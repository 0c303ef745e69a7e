import { describe, expect, test } from 'vitest';
import { type May, rightsOf } from '../../../infra/page/cluster/rights.ts';
import { Sessions } from '../../../infra/page/cluster/sessions.ts';
import type { WriteOutcome } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { clockOf } from '../../builders/clock.ts';

const nothing: May = async () => false;

function aHouse() {
  let now = 0;
  const reviews: string[] = [];
  const good = new Set(['token']);
  const sessions = new Sessions({
    clock: clockOf(() => now),
    rightsBy: async (token) => {
      reviews.push(token);
      return good.has(token) ? nothing : undefined;
    },
  });
  return { sessions, reviews, good, pass: (seconds: number) => void (now += seconds * 1_000) };
}

describe('a session', () => {
  test('is found by its cookie and its key, and by neither alone', async () => {
    const { sessions } = aHouse();
    const { cookie, key } = (await sessions.open('token'))!;
    expect(await sessions.find(cookie, key)).toBeDefined();
    expect(await sessions.find(cookie, undefined)).toBeUndefined();
    expect(await sessions.find(undefined, key)).toBeUndefined();
    expect(await sessions.find(cookie, `${key}x`)).toBeUndefined();
  });

  test('has its token reviewed every minute', async () => {
    const { sessions, reviews, pass } = aHouse();
    const { cookie, key } = (await sessions.open('token'))!;
    pass(59);
    await sessions.find(cookie, key);
    expect(reviews).toHaveLength(1);
    pass(1);
    await sessions.find(cookie, key);
    expect(reviews).toHaveLength(2);
  });

  test('ends with its token, also where that is good again later', async () => {
    const { sessions, good, pass } = aHouse();
    const { cookie, key } = (await sessions.open('token'))!;
    good.clear();
    pass(60);
    expect(await sessions.find(cookie, key)).toBeUndefined();
    good.add('token');
    expect(await sessions.find(cookie, key)).toBeUndefined();
  });

  test('ends after an hour', async () => {
    const { sessions, pass } = aHouse();
    const { cookie, key } = (await sessions.open('token'))!;
    pass(3_600);
    expect(await sessions.find(cookie, key)).toBeUndefined();
  });
});

const down = () => Promise.reject(new Unavailable('it is down'));

describe('the rights of a user', () => {
  const wanted = { verb: 'get', group: '', resource: 'pods', namespace: 'shop' } as const;

  test('are asked for once in half a minute, in the name of the user', async () => {
    let now = 0;
    const asked: unknown[] = [];
    const user = { username: 'jane', groups: ['team'] };
    const create = async (_resource: unknown, object: KubeObject): Promise<WriteOutcome> => {
      asked.push(object['spec']);
      return { kind: 'written', object: { ...object, status: { allowed: true } } };
    };
    const may = rightsOf(
      user,
      { create },
      clockOf(() => now),
    );
    expect([await may(wanted), await may(wanted)]).toEqual([true, true]);
    expect(asked).toEqual([{ user: 'jane', groups: ['team'], resourceAttributes: wanted }]);
    now += 30_000;
    await may(wanted);
    expect(asked).toHaveLength(2);
  });

  test('are none where they cannot be asked for', async () => {
    const may = rightsOf(
      { username: 'jane' },
      { create: down },
      clockOf(() => 0),
    );
    expect(await may(wanted)).toBe(false);
  });
});
