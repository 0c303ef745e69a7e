import { expect, test } from 'vitest';

import { CouldNotLook, nodes } from '../../../../shared/kubernetes/port.ts';
import {
  configMap,
  failure,
  json,
  type Respond,
  startServer,
  talkTo,
  talkToServer,
  text,
} from './local-server.ts';

const configMaps = { group: '', version: 'v1', plural: 'configmaps' };
const key = { namespace: 'default', name: 'a' };
const notFound = (details: object) => failure(404, 'NotFound', 'configmaps "a" not found', details);

test('an object that is there is answered as the API stores it', async () => {
  await using talk = await talkTo((_, response) => json(response, 200, configMap('a', { uid: 'u' })));
  expect(await talk.kubernetes.get(configMaps, key)).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'default', uid: 'u' },
  });
  expect(talk.seen[0]).toMatchObject({
    method: 'GET',
    path: '/api/v1/namespaces/default/configmaps/a',
    query: {},
    headers: { authorization: 'Bearer t0ken', accept: 'application/json', 'user-agent': 'phaseout' },
  });
  expect(talk.reports).toMatchObject([{ verb: 'get', resource: 'configmaps', code: 200 }]);
});

test.each<[string, object]>([
  ['with the resource as kind', { name: 'a', kind: 'configmaps' }],
  ['with the kind as kind', { name: 'a', kind: 'ConfigMap' }],
  ['without a kind', { name: 'a' }],
])('a NotFound about this object %s means that it is absent', async (_, details) => {
  await using talk = await talkTo((__, response) => json(response, 404, notFound(details)));
  expect(await talk.kubernetes.get(configMaps, key)).toBeUndefined();
});

test.each<[string, Respond]>([
  ['a text 404, as for an unknown API', (_, response) => text(response, 404, '404 page not found\n')],
  ['a NotFound without details', (_, response) => json(response, 404, notFound({}))],
  ['a NotFound about another name', (_, response) => json(response, 404, notFound({ name: 'b' }))],
  [
    'a NotFound about a namespace',
    (_, response) => json(response, 404, notFound({ name: 'a', kind: 'namespaces' })),
  ],
  [
    'a 404 with another reason',
    (_, response) => json(response, 404, failure(404, 'Gone', 'x', { name: 'a' })),
  ],
  [
    'a 404 whose body is no Status',
    (_, response) => json(response, 404, { reason: 'NotFound', details: { name: 'a' } }),
  ],
  ['another object', (_, response) => json(response, 200, configMap('b'))],
  ['a proxy page with status 200', (_, response) => text(response, 200, '<html>log in</html>')],
  ['JSON that is no object of Kubernetes', (_, response) => json(response, 200, { name: 'a' })],
  ['an empty body', (_, response) => text(response, 200, '')],
  ['a redirect', (_, response) => text(response, 302, '')],
  ['401', (_, response) => json(response, 401, failure(401, 'Unauthorized', 'Unauthorized'))],
  ['403', (_, response) => json(response, 403, failure(403, 'Forbidden', 'no', { name: 'a' }))],
  ['500', (_, response) => text(response, 500, 'boom')],
  ['503', (_, response) => json(response, 503, failure(503, 'ServiceUnavailable', 'later'))],
])('%s leaves doubt, so it throws CouldNotLook', async (_, respond) => {
  await using talk = await talkTo(respond);
  await expect(talk.kubernetes.get(configMaps, key)).rejects.toThrow(CouldNotLook);
});

test('the message names the request, the server, the code and the words of the API', async () => {
  await using talk = await talkTo((_, response) =>
    json(response, 503, failure(503, 'ServiceUnavailable', 'etcd has no leader'), { 'retry-after': '7' }),
  );
  const error = await talk.kubernetes.get(nodes, { name: 'n1' }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    message: `GET nodes/n1 of ${talk.url}: 503 ServiceUnavailable etcd has no leader`,
    retryAfterSeconds: 7,
  });
});

test('retryAfterSeconds in the body counts when there is no header', async () => {
  const body = failure(429, 'TooManyRequests', 'slow down', { retryAfterSeconds: 3 });
  await using talk = await talkTo((_, response) => json(response, 429, body));
  await expect(talk.kubernetes.get(nodes, { name: 'n1' })).rejects.toMatchObject({ retryAfterSeconds: 3 });
});

test('a server that does not answer is given up after the time box', async () => {
  await using talk = await talkTo(() => undefined, { requestTimeoutSeconds: 0.1 });
  await expect(talk.kubernetes.get(nodes, { name: 'n1' })).rejects.toThrow(
    `GET nodes/n1 of ${talk.url}: no answer within 0.1 s`,
  );
  expect(talk.reports).toMatchObject([{ verb: 'get', resource: 'nodes', code: 0 }]);
});

test('a body that stalls is given up after the time box', async () => {
  await using talk = await talkTo(
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"kind":');
    },
    { requestTimeoutSeconds: 0.1 },
  );
  await expect(talk.kubernetes.get(nodes, { name: 'n1' })).rejects.toThrow('no answer within 0.1 s');
});

test('a body that breaks off is no answer', async () => {
  await using talk = await talkTo((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write(JSON.stringify(configMap('a')), () => response.destroy());
  });
  await expect(talk.kubernetes.get(configMaps, key)).rejects.toThrow(CouldNotLook);
  expect(talk.reports).toMatchObject([{ code: 0 }]);
});

test('a connection that broke is tried once more, and then works', async () => {
  await using talk = await talkTo((_, response, count) =>
    count === 1 ? response.destroy() : json(response, 200, configMap('a')),
  );
  expect(await talk.kubernetes.get(configMaps, key)).toBeDefined();
  expect(talk.seen).toHaveLength(2);
});

test('a connection that breaks twice is no answer', async () => {
  await using talk = await talkTo((_, response) => response.destroy());
  await expect(talk.kubernetes.get(configMaps, key)).rejects.toThrow(CouldNotLook);
  expect(talk.seen).toHaveLength(2);
});

test('a server that is not there is named with the reason', async () => {
  const server = await startServer(() => undefined);
  await server[Symbol.asyncDispose]();
  const { kubernetes } = talkToServer(server);
  const { port } = new URL(server.url);
  await expect(kubernetes.get(nodes, { name: 'n1' })).rejects.toThrow(
    `GET nodes/n1 of ${server.url}: connect ECONNREFUSED 127.0.0.1:${port}`,
  );
  await kubernetes.close();
});

test('nothing is asked after closing', async () => {
  await using talk = await talkTo((_, response) => json(response, 200, configMap('a')));
  await talk.kubernetes.close();
  await expect(talk.kubernetes.get(configMaps, key)).rejects.toThrow('the connection was closed');
  expect(talk.seen).toEqual([]);
});

test('connections are reused, and bounded however many requests there are', async () => {
  await using talk = await talkTo((_, response) => json(response, 200, configMap('a')));
  for (let n = 0; n < 20; n += 1) await talk.kubernetes.get(configMaps, key);
  expect(talk.sockets()).toBeLessThanOrEqual(2);
  await Promise.all(Array.from({ length: 300 }, () => talk.kubernetes.get(configMaps, key)));
  expect(talk.sockets()).toBeLessThanOrEqual(64);
});

test('a server address may carry a path, and names are escaped', async () => {
  await using talk = await talkTo((_, response) => json(response, 200, configMap('a b')));
  await talk.kubernetes.get(configMaps, { namespace: 'x/y', name: 'a b' });
  expect(talk.seen[0]?.path).toBe('/api/v1/namespaces/x%2Fy/configmaps/a%20b');
});
