import { describe, expect, test } from 'vitest';
import type { Eviction } from '../../../shared/kubernetes/client.ts';
import { pods } from '../../../shared/kubernetes/resources.ts';
import { configMaps, desk, key, outcome, write } from './desk.ts';
import { refusals } from './invented.ts';
import type { Meddling } from './meddling.ts';

const { conflict, throttledForLong, timeout } = refusals;

const patch = 'Unavailable: PATCH namespaces/default/configmaps/a of https://management: ';

describe('a write', () => {
  test.each<[string, Meddling, string, string, string[]]>([
    ['that meets nothing is done', 'pass', 'written', 'new', ['patch 200']],
    ['may meet a conflict', { answer: conflict }, 'conflict', 'old', ['patch unasked']],
    [
      'whose connection breaks is not asked again',
      { lost: 'before' },
      `${patch}other side closed (UND_ERR_SOCKET)`,
      'old',
      ['patch unasked'],
    ],
    [
      'whose answer is lost is done all the same',
      { lost: 'after' },
      `${patch}other side closed (UND_ERR_SOCKET)`,
      'new',
      ['patch 200'],
    ],
    [
      'may time out at the server without having been done',
      { answer: timeout },
      `${patch}504 Timeout ${timeout.message}`,
      'old',
      ['patch unasked'],
    ],
    [
      'may time out at the server and be done',
      { answerAfter: timeout },
      `${patch}504 Timeout ${timeout.message}`,
      'new',
      ['patch 200'],
    ],
    [
      'that never arrives is given up after its time',
      { silent: 'before' },
      `${patch}no answer within 10 s`,
      'old',
      ['patch unasked'],
    ],
    [
      'whose answer never comes is done and given up',
      { silent: 'after' },
      `${patch}no answer within 10 s`,
      'new',
      ['patch 200'],
    ],
    ['is never done to what was long ago', { stale: 1 }, 'written', 'new', ['patch 200']],
  ])('%s', async (_, meddling, told, stored, seen) => {
    const at = desk(meddling);
    expect(await outcome(at, write(at))).toBe(told);
    expect(at.stored()).toBe(stored);
    expect(at.seen).toEqual(seen);
  });

  test('may be done after it was given up', async () => {
    const at = desk({ silent: 'late' });
    const asked = write(at);
    expect(await outcome(at, asked, 9.9)).toBe('nothing');
    expect(at.stored()).toBe('old');
    expect(await outcome(at, asked, 0.2)).toBe(`${patch}no answer within 10 s`);
    expect(at.stored()).toBe('new');
    expect(at.seen).toEqual(['patch 200']);
  });
});

describe('an eviction', () => {
  const eviction: Eviction = {
    pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'default', uid: 'u' } },
  };

  test('may be throttled by the API server', async () => {
    const at = desk({ answer: throttledForLong });
    const told = at.kubernetes.evict(eviction).then((answer) => JSON.stringify(answer));
    expect(await outcome(at, told)).toBe(
      '{"kind":"refused","cause":"Throttled","text":"the server answered 429","retryAfterSeconds":30}',
    );
    expect(at.exchanges).toMatchObject([
      { verb: 'create', resource: 'pods/eviction', namespace: 'default', name: 'p' },
    ]);
  });

  test('may be refused for reasons that the answer details', async () => {
    const causes = [{ reason: 'DisruptionBudget', message: 'The disruption budget b needs 2 healthy pods' }];
    const message = "Cannot evict pod as it would violate the pod's disruption budget.";
    const at = desk({ answer: { status: 429, reason: 'TooManyRequests', message, details: { causes } } });
    expect(await at.kubernetes.evict(eviction)).toMatchObject({ cause: 'BudgetExhausted', budget: 'b' });
  });
});

test.each<[string, Meddling, (string | undefined)[]]>([
  ['is asked', 'pass', ['old']],
  ['does what nobody hears of', { silent: 'after' }, ['old']],
  ['is not asked', { answer: conflict }, []],
])('of a server that %s it is told before', async (_, meddling, before) => {
  const at = desk(meddling);
  await outcome(at, write(at));
  expect(at.before).toEqual(before);
});

test('a request that changes something has a body, and its answer too', async () => {
  const at = desk();
  await outcome(at, write(at));
  await outcome(
    at,
    at.kubernetes.delete(configMaps, { ...key, name: 'z' }, 'u').then(({ kind }) => kind),
  );
  await outcome(
    at,
    at.kubernetes.list(pods, { fieldSelector: 'spec.nodeName=n' }).then(() => ''),
  );
  expect(at.exchanges).toMatchObject([
    { instance: 'one', host: 'management', method: 'PATCH', body: { data: { text: 'new' } } },
    { verb: 'delete', name: 'z', body: { preconditions: { uid: 'u' } } },
    { verb: 'list', resource: 'pods', namespace: '', name: '', query: { fieldSelector: 'spec.nodeName=n' } },
  ]);
  expect(at.answers.map((answer) => answer?.body)).toMatchObject([
    { metadata: { name: 'a' }, data: { text: 'new' } },
    { kind: 'Status', reason: 'NotFound' },
    { kind: 'PodList' },
  ]);
});
