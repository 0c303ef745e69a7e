import { expect, test } from 'vitest';
import { asAsked, exchangeOf, labelOf } from './exchange.ts';

const from = { instance: 'one', host: 'management' };
const { signal } = new AbortController();
const isOver = (): boolean => false;

const exchange = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body: string | null = null) =>
  exchangeOf(
    asAsked({ origin: 'https://management', method, path, headers: {}, body, signal, isOver }),
    from,
  );

test.each<[Parameters<typeof exchange>, string]>([
  [['GET', '/api/v1/namespaces/a/pods/b'], 'get pods a/b of management by one'],
  [['GET', '/api/v1/nodes/n'], 'get nodes n of management by one'],
  [
    ['GET', '/apis/cluster.x-k8s.io/v1beta2/machines?limit=500'],
    'list machines.cluster.x-k8s.io of management by one',
  ],
  [['GET', '/api/v1/pods?watch=true&resourceVersion=7'], 'watch pods of management by one'],
  [['GET', '/api/v1/nodes?fieldSelector=metadata.name%3Dn'], 'list nodes n of management by one'],
  [['POST', '/api/v1/namespaces/a/pods/b/eviction', '{}'], 'create pods/eviction a/b of management by one'],
  [['DELETE', '/api/v1/nodes/n', '{}'], 'delete nodes n of management by one'],
  [['GET', '/apis/cluster.x-k8s.io'], 'get /apis/cluster.x-k8s.io of management by one'],
])('%j is told as "%s"', (asked, label) => {
  expect(labelOf(exchange(...asked))).toBe(label);
});

test('query and body are read', () => {
  expect(exchange('PATCH', '/api/v1/nodes/n?dryRun=All&x=a%20b', '{"spec":{}}')).toEqual({
    instance: 'one',
    host: 'management',
    method: 'PATCH',
    verb: 'patch',
    resource: 'nodes',
    namespace: '',
    name: 'n',
    path: '/api/v1/nodes/n',
    query: { dryRun: 'All', x: 'a b' },
    body: { spec: {} },
  });
});
