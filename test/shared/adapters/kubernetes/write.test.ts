import { expect, test } from 'vitest';

import type { WriteOutcome } from '../../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { configMap, failure, json, type Respond, talkTo, text } from './local-server.ts';

const machines = { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'machines' };
const key = { namespace: 'default', name: 'a' };
const about = { name: 'a', group: 'cluster.x-k8s.io', kind: 'machines' };
const reply =
  (code: number, body: unknown): Respond =>
  (_, response) =>
    json(response, code, body);

test('patches carry their content type, credentials and body to the right path', async () => {
  await using talk = await talkTo(reply(200, configMap('a')));
  await talk.kubernetes.mergePatch(machines, key, { metadata: { labels: { ü: null } } });
  await talk.kubernetes.mergePatch(machines, key, { status: {} }, 'status');
  await talk.kubernetes.jsonPatch(machines, key, [{ op: 'remove', path: '/metadata/finalizers/0' }]);
  const path = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines/a';
  const merge = { 'content-type': 'application/merge-patch+json', authorization: 'Bearer t0ken' };
  expect(talk.seen).toMatchObject([
    { method: 'PATCH', path, headers: merge, body: { metadata: { labels: { ü: null } } } },
    { method: 'PATCH', path: `${path}/status`, headers: merge, body: { status: {} } },
    {
      method: 'PATCH',
      path,
      headers: { 'content-type': 'application/json-patch+json' },
      body: [{ op: 'remove', path: '/metadata/finalizers/0' }],
    },
  ]);
  expect(talk.reports).toMatchObject([
    { verb: 'patch', resource: 'machines.cluster.x-k8s.io', code: 200 },
    { verb: 'patch', resource: 'machines.cluster.x-k8s.io/status', code: 200 },
    { verb: 'patch', resource: 'machines.cluster.x-k8s.io', code: 200 },
  ]);
});

const modified =
  'Operation cannot be fulfilled on machines.cluster.x-k8s.io "a": the object has been modified';
const unfit = 'the server rejected our request due to an error in our request';

test.each<[string, Respond, WriteOutcome]>([
  ['409', reply(409, failure(409, 'Conflict', modified, about)), { kind: 'conflict', message: modified }],
  [
    'a JSON patch that does not fit',
    reply(422, failure(422, 'Invalid', unfit)),
    { kind: 'conflict', message: unfit },
  ],
  ['NotFound about this object', reply(404, failure(404, 'NotFound', 'not found', about)), { kind: 'gone' }],
  [
    'an invalid object',
    reply(422, failure(422, 'Invalid', 'spec.x: Invalid value', about)),
    { kind: 'refused', code: 422, message: 'spec.x: Invalid value' },
  ],
  [
    '403',
    reply(403, failure(403, 'Forbidden', 'you may not', about)),
    { kind: 'refused', code: 403, message: 'you may not' },
  ],
  [
    '400',
    reply(400, failure(400, 'BadRequest', 'no patch')),
    { kind: 'refused', code: 400, message: 'no patch' },
  ],
  ['405', (_, response) => text(response, 405, 'no'), { kind: 'refused', code: 405, message: '405 no' }],
])('a patch answered with %s', async (_, respond, outcome) => {
  await using talk = await talkTo(respond);
  expect(await talk.kubernetes.jsonPatch(machines, key, [])).toEqual(outcome);
});

test.each<[string, Respond]>([
  ['401', reply(401, failure(401, 'Unauthorized', 'Unauthorized'))],
  ['408', (_, response) => text(response, 408, 'request timeout')],
  ['429', reply(429, failure(429, 'TooManyRequests', 'slow down'))],
  ['500', reply(500, failure(500, 'InternalError', 'etcd'))],
  ['300', (_, response) => text(response, 300, 'which one?')],
  ['302', (_, response) => text(response, 302, 'log in over there')],
  ['a text 404', (_, response) => text(response, 404, '404 page not found\n')],
  [
    'NotFound about the namespace',
    reply(404, failure(404, 'NotFound', 'x', { name: 'default', kind: 'namespaces' })),
  ],
  ['no object', reply(200, {})],
  ['another object', reply(200, configMap('b'))],
  ['a broken connection', (_, response) => response.destroy()],
])('whether a patch answered with %s was written is not known', async (_, respond) => {
  await using talk = await talkTo(respond);
  await expect(talk.kubernetes.mergePatch(machines, key, {})).rejects.toThrow(Unavailable);
  // A write is never sent twice: the first one may have been carried out.
  expect(talk.seen).toHaveLength(1);
});

test('Retry-After travels with the error', async () => {
  const busy = failure(429, 'TooManyRequests', 'slow down');
  await using talk = await talkTo((_, response) => json(response, 429, busy, { 'retry-after': '2' }));
  await expect(talk.kubernetes.mergePatch(machines, key, {})).rejects.toMatchObject({ retryAfterSeconds: 2 });
});

test.each<[string, Respond, WriteOutcome['kind']]>([
  ['201', reply(201, configMap('a')), 'written'],
  ['409 AlreadyExists', reply(409, failure(409, 'AlreadyExists', 'already exists', about)), 'conflict'],
  [
    'a missing namespace',
    reply(404, failure(404, 'NotFound', 'x', { name: 'default', kind: 'namespaces' })),
    'refused',
  ],
  [
    '403 of a terminating namespace',
    reply(403, failure(403, 'Forbidden', 'being terminated', about)),
    'refused',
  ],
])('a create answered with %s: %s', async (_, respond, kind) => {
  await using talk = await talkTo(respond);
  const object = { metadata: { name: 'a', namespace: 'default' } };
  expect(await talk.kubernetes.create(machines, object)).toMatchObject({ kind });
  expect(talk.seen[0]).toMatchObject({
    method: 'POST',
    path: '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines',
    headers: { 'content-type': 'application/json' },
    body: object,
  });
  expect(talk.reports).toMatchObject([{ verb: 'create', resource: 'machines.cluster.x-k8s.io' }]);
});

test('a create without a name is answered with the one that the API has made', async () => {
  await using talk = await talkTo(reply(201, configMap('a-x7k2p')));
  const object = { metadata: { name: '', generateName: 'a-', namespace: 'default' } };
  expect(await talk.kubernetes.create(machines, object)).toEqual({
    kind: 'written',
    object: configMap('a-x7k2p'),
  });
});

test('a create at an unknown API could not be asked', async () => {
  await using talk = await talkTo((_, response) => text(response, 404, '404 page not found\n'));
  await expect(talk.kubernetes.create(machines, { metadata: { name: 'a' } })).rejects.toThrow(Unavailable);
});

// As kube-apiserver 1.36 answers it: nothing is stored, so there is no name.
test.each([
  ['a review', { managedFields: [] }, ''],
  ['an Event whose name was made there', { name: 'a.17', namespace: 'default' }, 'a.17'],
])('the answer to %s is taken as it is', async (_, metadata, name) => {
  const status = { authenticated: true };
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata, status };
  await using talk = await talkTo(reply(201, body));
  const reviews = { group: 'authentication.k8s.io', version: 'v1', plural: 'tokenreviews' };
  const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata: { name: '' } };
  expect(await talk.kubernetes.create(reviews, asked)).toMatchObject({
    kind: 'written',
    object: { metadata: { name }, status },
  });
});

test('a page of a proxy is no answer to a review', async () => {
  await using talk = await talkTo(reply(201, { hello: 'there' }));
  const reviews = { group: 'authentication.k8s.io', version: 'v1', plural: 'tokenreviews' };
  const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata: { name: '' } };
  await expect(talk.kubernetes.create(reviews, asked)).rejects.toThrow(Unavailable);
});
