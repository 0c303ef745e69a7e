import { expect, test } from 'vitest';

import { evict } from '../../../../shared/adapters/kubernetes/writes.ts';
import type { EvictionAnswer } from '../../../../shared/kubernetes/client.ts';
import type { Pod } from '../../../../shared/kubernetes/objects.ts';
import { nodes } from '../../../../shared/kubernetes/resources.ts';
import { failure, json, type Respond, success, talkTo, text } from './local-server.ts';
import { manualClock } from './manual-clock.ts';

const pod: Pod = { metadata: { name: 'p', namespace: 'default', uid: 'pod-uid' } };
const reply =
  (code: number, body: unknown): Respond =>
  (_, response) =>
    json(response, code, body);

test('the eviction names the Pod by UID, with a grace period only if one is given', async () => {
  await using talk = await talkTo(reply(201, success));
  expect(await talk.kubernetes.evict({ pod })).toEqual({ kind: 'accepted' });
  await talk.kubernetes.evict({ pod, gracePeriodSeconds: 1 });
  const asked = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p', namespace: 'default' } };
  expect(talk.seen.map(({ body }) => body)).toEqual([
    { ...asked, deleteOptions: { preconditions: { uid: 'pod-uid' } } },
    { ...asked, deleteOptions: { preconditions: { uid: 'pod-uid' }, gracePeriodSeconds: 1 } },
  ]);
  expect(talk.seen[0]).toMatchObject({ method: 'POST', path: '/api/v1/namespaces/default/pods/p/eviction' });
  expect(talk.reports[0]).toMatchObject({ verb: 'create', resource: 'pods/eviction', code: 201 });
});

test('reads do not wait behind evictions that take their time, however many may be under way', async () => {
  const evictions = Array.from({ length: 100 }, (_, number) => ({
    pod: { metadata: { ...pod.metadata, name: `p-${number}` } },
  }));
  await using talk = await talkTo(({ method }, response) => {
    if (method === 'GET') json(response, 200, { metadata: { name: 'n' } });
  });
  for (const eviction of evictions) void talk.kubernetes.evict(eviction);
  await expect.poll(() => talk.seen).toHaveLength(100);
  expect(await talk.kubernetes.get(nodes, { name: 'n' })).toMatchObject({ metadata: { name: 'n' } });
});

const spent = failure(
  429,
  'TooManyRequests',
  "Cannot evict pod as it would violate the pod's disruption budget.",
  {
    causes: [
      {
        reason: 'DisruptionBudget',
        message: 'The disruption budget b needs 2 healthy pods and has 2 currently',
      },
    ],
  },
);

test.each<[string, Respond, Partial<EvictionAnswer>]>([
  ['a spent budget', reply(429, spent), { kind: 'refused', cause: 'BudgetExhausted', budget: 'b' }],
  [
    'a busy server',
    (_, response) => json(response, 429, failure(429, 'TooManyRequests', 'busy'), { 'retry-after': '1' }),
    { kind: 'refused', cause: 'Throttled', retryAfterSeconds: 1 },
  ],
  [
    'NotFound about the Pod',
    reply(404, failure(404, 'NotFound', 'x', { name: 'p', kind: 'pods' })),
    { kind: 'gone' },
  ],
  [
    'NotFound about something else',
    reply(404, failure(404, 'NotFound', 'x', {})),
    { kind: 'refused', cause: 'Failed' },
  ],
  ['a text 404', (_, response) => text(response, 404, 'nope'), { kind: 'refused', cause: 'Failed' }],
  ['a proxy page', (_, response) => text(response, 200, 'hello'), { kind: 'refused', cause: 'Failed' }],
  ['a broken connection', (_, response) => response.destroy(), { kind: 'refused', cause: 'Failed' }],
  ['401', reply(401, failure(401, 'Unauthorized', 'Unauthorized')), { kind: 'refused', cause: 'Failed' }],
])('%s is an answer for this Pod', async (_, respond, answer) => {
  await using talk = await talkTo(respond);
  expect(await talk.kubernetes.evict({ pod })).toMatchObject(answer);
  expect(talk.seen).toHaveLength(1);
});

test('an answer that does not come in 10 s is an answer for this Pod', async () => {
  const clock = manualClock();
  await using talk = await talkTo(() => undefined, { clock });
  const answer = talk.kubernetes.evict({ pod });
  await expect.poll(() => talk.seen).toHaveLength(1);
  await clock.advance(10_000);
  expect(await answer).toEqual({
    kind: 'refused',
    cause: 'Failed',
    text: 'no answer within 10 s',
    detail: `POST namespaces/default/pods/p/eviction of ${talk.url}: no answer within 10 s`,
  });
});

test.each<[string, Pod['metadata']]>([
  ['UID', { name: 'p', namespace: 'default' }],
  ['namespace', { name: 'p', uid: 'pod-uid' }],
])('a Pod without %s is not evicted: it could be any Pod of that name', async (_what, metadata) => {
  await using talk = await talkTo(reply(201, success));
  expect(await talk.kubernetes.evict({ pod: { metadata } })).toEqual({
    kind: 'refused',
    cause: 'Failed',
    text: 'the Pod has no UID or namespace',
  });
  expect(talk.seen).toEqual([]);
});

test('a mistake of ours is no answer for a Pod: it is thrown', async () => {
  const broken = {
    ask: () => Promise.reject(new TypeError('undefined is not a function')),
    open: () => Promise.reject(new TypeError('undefined is not a function')),
    label: () => '',
    close: async () => undefined,
  };
  await expect(evict(broken, { pod })).rejects.toThrow(TypeError);
});
