import { expect, test } from 'vitest';
import { Forbidden, Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { nodes } from '../../../../shared/kubernetes/resources.ts';
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
import { manualClock } from './manual-clock.ts';

const configMaps = { group: '', version: 'v1', plural: 'configmaps' };
const key = { namespace: 'default', name: 'a' };
const unexpected = 'the answer is not the expected object';
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
    headers: { authorization: 'Bearer t0ken', accept: 'application/json', 'user-agent': 'phaseout' },
  });
  expect(talk.reports).toMatchObject([{ verb: 'get', resource: 'configmaps', code: 200 }]);
});

test('an object is asked for as it is now: any version would be answered from a cache', async () => {
  await using talk = await talkTo((_, response) => json(response, 200, configMap('a')));
  await talk.kubernetes.get(configMaps, key);
  expect(talk.seen.map(({ query }) => query)).toEqual([{}]);
});

test.each<[string, object]>([
  ['with the resource as kind', { name: 'a', kind: 'configmaps' }],
  ['with the kind as kind', { name: 'a', kind: 'ConfigMap' }],
  ['without a kind', { name: 'a' }],
  ['with an empty kind', { name: 'a', kind: '' }],
])('a NotFound about this object %s means that it is absent', async (_, details) => {
  await using talk = await talkTo((__, response) => json(response, 404, notFound(details)));
  expect(await talk.kubernetes.get(configMaps, key)).toBeUndefined();
});

test.each([
  ['NetworkPolicy', 'networkpolicies'],
  ['Ingress', 'ingresses'],
  ['Proxy', 'proxies'],
])('a NotFound about the kind %s is one about %s', async (kind, plural) => {
  await using talk = await talkTo((_, response) => json(response, 404, notFound({ name: 'a', kind })));
  expect(await talk.kubernetes.get({ group: '', version: 'v1', plural }, key)).toBeUndefined();
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
  [
    'a NotFound of a proxy that failed',
    (_, response) => json(response, 502, failure(404, 'NotFound', 'x', { name: 'a' })),
  ],
  ['another object', (_, response) => json(response, 200, configMap('b'))],
  ['a proxy page with status 200', (_, response) => text(response, 200, '<html>log in</html>')],
  ['JSON that is no object of Kubernetes', (_, response) => json(response, 200, { name: 'a' })],
  ['a body that is nothing', (_, response) => json(response, 200, null)],
  ['an empty body', (_, response) => text(response, 200, '')],
  ['a redirect', (_, response) => text(response, 302, '')],
  ['401', (_, response) => json(response, 401, failure(401, 'Unauthorized', 'Unauthorized'))],
  ['403', (_, response) => json(response, 403, failure(403, 'Forbidden', 'no', { name: 'a' }))],
  ['500', (_, response) => text(response, 500, 'boom')],
  ['503', (_, response) => json(response, 503, failure(503, 'ServiceUnavailable', 'later'))],
])('%s leaves doubt, so it throws Unavailable', async (_, respond) => {
  await using talk = await talkTo(respond);
  await expect(talk.kubernetes.get(configMaps, key)).rejects.toThrow(Unavailable);
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

test.each<[string, string, number | undefined]>([
  ['none at all', '0', 0],
  ['a part of a second', '0.5', 0.5],
  ['a time before now', '-1', undefined],
  ['no number', 'soon', undefined],
  ['a date', 'Fri, 31 Dec 2100 23:59:59 GMT', undefined],
])('a Retry-After that says %s is passed on only if it can be waited for', async (_what, header, seconds) => {
  const refusal: Respond = (_, response) => json(response, 403, {}, { 'retry-after': header });
  await using talk = await talkTo(refusal);
  const error = await talk.kubernetes.get(nodes, { name: 'n1' }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Unavailable);
  expect(error).toHaveProperty('retryAfterSeconds', seconds);
});

test.each<[string, Respond, string]>([
  ['what is no Status, on one line', (_, response) => text(response, 403, ' not\n  here '), '403 not here'],
  ['200 characters at most', (_, response) => text(response, 403, 'x'.repeat(500)), `403 ${'x'.repeat(200)}`],
  ['nothing but the code', (_, response) => text(response, 403, ' \n'), '403'],
  [
    'only what there is of a Status',
    (_, response) => json(response, 403, { kind: 'Status', message: 'no' }),
    '403 no',
  ],
  [
    'that a page is not what was asked for',
    (_, response) => text(response, 200, '<html>log in</html>'),
    '200 with a body that is not the expected object',
  ],
])('the message tells %s', async (_what, respond, told) => {
  await using talk = await talkTo(respond);
  const refused = await talk.kubernetes.get(nodes, { name: 'n1' }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Unavailable);
  expect(refused).toMatchObject({ message: `GET nodes/n1 of ${talk.url}: ${told}` });
});

test.each<[what: string, respond: Respond, statusText: string]>([
  ['of a Status', (_, response) => json(response, 403, failure(403, 'Forbidden', 'boom')), 'boom'],
  ['of a page', (_, response) => text(response, 404, '<p>\n gone </p>'), '<p> gone </p>'],
  ['of nothing', (_, response) => text(response, 404, ''), 'the server gave no reason'],
  ['of a page in the place of the object', (_, response) => text(response, 200, 'log in'), unexpected],
])('a Machine says it in the words %s, without verb, path, host and code', async (_what, respond, said) => {
  await using talk = await talkTo(respond);
  await expect(talk.kubernetes.get(nodes, { name: 'n1' })).rejects.toMatchObject({ statusText: said });
});

test('a read that is refused for the moment is asked again, and is answered', async () => {
  const clock = manualClock();
  await using talk = await talkTo(
    (_, response, count) =>
      count === 1 ? text(response, 503, 'starting') : json(response, 200, configMap('a')),
    { clock },
  );
  const found = talk.kubernetes.get(configMaps, key);
  await expect.poll(() => clock.timers()).toBe(2);
  await clock.advance(100);
  expect(await found).toMatchObject({ kind: 'ConfigMap' });
  expect(talk.reports).toMatchObject([{ code: 503 }, { code: 200 }]);
});

test('requests are reported with the time until their answer', async () => {
  const clock = manualClock();
  await using talk = await talkTo(
    (_, response) => void clock.advance(250).then(() => json(response, 200, configMap('a'))),
    { clock },
  );
  await talk.kubernetes.get(configMaps, key);
  expect(talk.reports).toMatchObject([{ code: 200, milliseconds: 250 }]);
});

test('a request without a body says nothing of one', async () => {
  await using talk = await talkTo((_, response) => json(response, 200, configMap('a')));
  await talk.kubernetes.get(configMaps, key);
  expect(talk.seen[0]?.headers).not.toHaveProperty('content-type');
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
  await expect(talk.kubernetes.get(configMaps, key)).rejects.toThrow(Unavailable);
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
  await expect(talk.kubernetes.get(configMaps, key)).rejects.toThrow(Unavailable);
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

test('names are escaped', async () => {
  await using talk = await talkTo((_, response) => json(response, 200, configMap('a b')));
  await talk.kubernetes.get(configMaps, { namespace: 'x/y', name: 'a b' });
  expect(talk.seen[0]?.path).toBe('/api/v1/namespaces/x%2Fy/configmaps/a%20b');
});

test.each(['/clusters/c-1', '/clusters/c-1/'])('a server address may carry a path: %s', async (path) => {
  await using server = await startServer((_, response) => json(response, 403, {}));
  await using talk = talkToServer({ ...server, url: `${server.url}${path}` });
  await expect(talk.kubernetes.get(configMaps, key)).rejects.toThrow(
    `GET namespaces/default/configmaps/a of ${server.url}/clusters/c-1: 403 {}`,
  );
  expect(server.seen[0]?.path).toBe('/clusters/c-1/api/v1/namespaces/default/configmaps/a');
});

test.each([
  [403, true],
  [401, false],
  [500, false],
])(
  'that we have no right to read something is told apart from other failures: %i',
  async (code, isForbidden) => {
    await using talk = await talkTo((_, response) => json(response, code, { kind: 'Status', message: 'no' }));
    const refused = await talk.kubernetes.get(nodes, { name: 'n1' }).catch((error: unknown) => error);
    expect(refused instanceof Forbidden).toBe(isForbidden);
  },
);
