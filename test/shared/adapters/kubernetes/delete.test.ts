import { expect, test } from 'vitest';

import type { DeleteOutcome } from '../../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { configMap, failure, json, type Respond, success, talkTo, text } from './local-server.ts';

const configMaps = { group: '', version: 'v1', plural: 'configmaps' };
const key = { namespace: 'default', name: 'a' };
const reply =
  (code: number, body: unknown): Respond =>
  (_, response) =>
    json(response, code, body);
const about = { name: 'a', kind: 'configmaps' };
const otherUid =
  'Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (u) does not match the UID in record ' +
  '(v). The object might have been deleted and then recreated';

test('only the object with this UID is asked to go', async () => {
  await using talk = await talkTo(reply(200, success));
  await talk.kubernetes.delete(configMaps, key, 'the-uid');
  expect(talk.seen).toMatchObject([
    {
      method: 'DELETE',
      path: '/api/v1/namespaces/default/configmaps/a',
      query: {},
      body: { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'the-uid' } },
    },
  ]);
});

test.each<[string, Respond, DeleteOutcome]>([
  ['Success', reply(200, success), { kind: 'gone' }],
  ['NotFound', reply(404, failure(404, 'NotFound', 'not found', about)), { kind: 'gone' }],
  [
    'the object',
    reply(200, configMap('a', { deletionTimestamp: '2040-01-01T00:00:00Z' })),
    { kind: 'deleting', object: configMap('a', { deletionTimestamp: '2040-01-01T00:00:00Z' }) },
  ],
  [
    'another UID',
    reply(409, failure(409, 'Conflict', otherUid, { name: 'a', kind: 'ConfigMap' })),
    { kind: 'replaced' },
  ],
  [
    'another UID, in the words of the storage',
    reply(
      409,
      failure(409, 'Conflict', 'Precondition failed: UID in precondition: u, UID in object meta: v'),
    ),
    { kind: 'replaced' },
  ],
  ['403', reply(403, failure(403, 'Forbidden', 'no', about)), { kind: 'refused', code: 403, message: 'no' }],
])('answered with %s', async (_, respond, outcome) => {
  await using talk = await talkTo(respond);
  expect(await talk.kubernetes.delete(configMaps, key, 'u')).toEqual(outcome);
});

test.each<[string, Respond]>([
  [
    'a conflict over something else',
    reply(409, failure(409, 'Conflict', 'the object has been modified', about)),
  ],
  ['a text 404', (_, response) => text(response, 404, '404 page not found\n')],
  ['NotFound about something else', reply(404, failure(404, 'NotFound', 'x', { name: 'b' }))],
  ['NotFound of a proxy that failed', reply(502, failure(404, 'NotFound', 'x', about))],
  ['another UID, of a proxy that failed', reply(502, failure(409, 'Conflict', otherUid, about))],
  ['a proxy page', (_, response) => text(response, 200, 'hello')],
  ['500', reply(500, failure(500, 'InternalError', 'etcd'))],
  ['429', reply(429, failure(429, 'TooManyRequests', 'slow'))],
  ['401', reply(401, failure(401, 'Unauthorized', 'Unauthorized'))],
  ['a broken connection', (_, response) => response.destroy()],
])('%s leaves open what became of it', async (_, respond) => {
  await using talk = await talkTo(respond);
  await expect(talk.kubernetes.delete(configMaps, key, 'u')).rejects.toThrow(Unavailable);
  expect(talk.seen).toHaveLength(1);
});

test('an answer that never comes leaves open what became of it', async () => {
  await using talk = await talkTo(() => undefined, { requestTimeoutSeconds: 0.1 });
  await expect(talk.kubernetes.delete(configMaps, key, 'u')).rejects.toThrow('no answer within 0.1 s');
});
