import { expect, test } from 'vitest';
import type { StoreCall } from '../meddlers.ts';
import type { ProviderCall } from '../platform/provider.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Meddling } from '../wire/meddling.ts';
import { anyhow, fatesBy, sorted } from './fates.ts';

const asked = (verb: string, resource: string): Exchange => ({
  instance: 'instance-1',
  host: 'blue',
  method: '',
  verb,
  resource,
  namespace: 'shop',
  name: verb === 'get' || verb === 'patch' || verb === 'delete' ? 'n' : '',
  path: '',
  query: {},
  body: undefined,
});

const requests: Readonly<Record<string, Exchange>> = {
  get: asked('get', 'nodes'),
  list: asked('list', 'pods'),
  page: { ...asked('list', 'pods'), query: { continue: 'more' } },
  watch: asked('watch', 'pods'),
  evict: asked('create', 'pods/eviction'),
  patch: asked('patch', 'nodes'),
  delete: asked('delete', 'nodes'),
};

function words(meddling: Meddling): string {
  if (typeof meddling === 'string') return meddling;
  if ('answer' in meddling) {
    const { status, retryAfter } = meddling.answer;
    return retryAfter === undefined ? `${status}` : `${status}, come again in ${retryAfter} s`;
  }
  if ('answerAfter' in meddling) return `${meddling.answerAfter.status} after it was done`;
  const [[what, how] = []] = Object.entries(meddling);
  return `${what} ${how}`;
}

const reads = ['get', 'list', 'page'];
const writes = ['delete', 'evict', 'patch'];
const all = [...reads, ...writes];
const any = [...all, 'watch'];

test.each<[name: string, fates: Record<string, readonly string[]>]>([
  ['conflict', { 409: ['delete', 'patch'] }],
  ['eviction-conflict', { 409: ['evict'] }],
  ['throttled', { 429: any }],
  ['throttled-with-retry-after', { '429, come again in 1 s': any, '429, come again in 30 s': any }],
  ['evictions-throttled', { '429, come again in 1 s': ['evict'], '429, come again in 30 s': ['evict'] }],
  ['server-error', { 500: any }],
  ['server-error-with-effect', { '500 after it was done': writes }],
  ['unavailable', { 502: any, 503: any }],
  ['gateway-timeout', { 504: any }],
  ['gateway-timeout-with-effect', { '504 after it was done': all }],
  ['unauthorized', { 401: any }],
  ['not-found-page', { 404: any }],
  ['timeout', { 'silent before': all }],
  ['timeout-with-effect', { 'silent after': all }],
  ['timeout-with-late-effect', { 'silent late': writes }],
  ['connection-lost', { 'lost before': any }],
  ['connection-lost-with-effect', { 'lost after': any }],
  ['watches-refused', { refused: ['watch'] }],
  ['forbidden', { 403: any }],
  ['denied', { 422: writes }],
  ['partial-pages', anyhow(['list', 'page'], 'pages 1', 'pages 2', 'pages 3')],
  ['pages-lost', { 'pages 1': ['list', 'page'], 410: ['page'], 500: ['page'] }],
  ['reads-fail', anyhow(reads, '404', '500', '503', 'lost before')],
  ['deletes-fail', anyhow(['delete'], '403', '404', '409', '500', '503', '504', 'lost before')],
  ['workload-unreachable', { refused: any, 'silent before': any }],
  ['workload-unreachable-for-good', { refused: any, 'silent before': any }],
])('what %s does to requests, and to which', async (name, fates) => {
  expect(
    await fatesBy(name, Object.keys(requests), ({ meddlers }, kind) => {
      const exchange = requests[kind];
      const fate = exchange && meddlers.request(exchange);
      return fate && words(fate);
    }),
  ).toEqual(sorted(fates));
});

const aCall: StoreCall = {
  instance: 'instance-1',
  name: 'UpdateItem',
  isConditional: false,
  mayBeStale: false,
  isIndexQuery: false,
};
const calls: Readonly<Record<string, StoreCall>> = {
  write: aCall,
  'conditional write': { ...aCall, name: 'PutItem', isConditional: true },
  query: { ...aCall, name: 'Query' },
  'query of the index': { ...aCall, name: 'Query', mayBeStale: true, isIndexQuery: true },
};
const anyCall = Object.keys(calls);
const queries = ['query', 'query of the index'];

test.each<[name: string, fates: Record<string, readonly string[]>]>([
  ['store-down', { unreachable: anyCall }],
  ['store-throttled', { throttled: anyCall }],
  ['store-server-error', { 'server error': anyCall }],
  ['store-timeout', { 'timeout before': anyCall }],
  ['store-timeout-with-effect', { 'timeout after the effect': anyCall }],
  [
    'store-conditional-write-lost',
    anyhow(['conditional write'], 'timeout after the effect', 'reset after the effect'),
  ],
  ['store-late-effect', { 'timeout late effect': anyCall }],
  ['store-connection-lost', anyhow(anyCall, 'reset before', 'reset after the effect')],
  ['store-stale', anyhow(['query of the index'], ...[1, 2, 3, 4, 5, 6].map((changes) => `stale ${changes}`))],
  ['store-partial-pages', anyhow(queries, 'page 1', 'page 2')],
])('what %s does to calls of the table, and to which', async (name, fates) => {
  expect(
    await fatesBy(name, anyCall, ({ meddlers }, kind) => {
      const call = calls[kind];
      const fate = call && meddlers.store(call);
      return typeof fate === 'object' ? Object.entries(fate).flat().join(' ') : fate;
    }),
  ).toEqual(sorted(fates));
});

const operations = ['exists', 'create', 'update', 'delete'] as const;
const askedOf = ['openshift.io/v1beta1', 'k8s.io/v1alpha1'].flatMap((api) =>
  operations.map((operation): [string, ProviderCall] => [
    `${operation} for ${api}`,
    {
      instance: 'instance-1',
      operation,
      machine: {
        apiVersion: api.startsWith('open') ? `machine.${api}` : `cluster.${api}`,
        kind: 'Machine',
        metadata: { name: 'm' },
      },
      cluster: undefined,
    },
  ]),
);
const providerCalls = new Map(askedOf);
const anything = [...providerCalls.keys()];

test.each<[name: string, fates: Record<string, readonly string[]>]>([
  ['provider-fails', { 'says failed': anything }],
  ['provider-asks-to-retry', { 'says retry': anything }],
  ['provider-hangs', anyhow(anything, 'hangs before', 'hangs after')],
  ['provider-unreachable', { 'finds nobody': anything }],
  ['provider-answer-lost', { 'is not answered': anything }],
  ['provider-garbled', anyhow(anything, 'is said before', 'is said after')],
  ['provider-lies', { 'says accepted': ['delete for openshift.io/v1beta1'] }],
  ['provider-says-it-still-exists', { 'says exists': ['exists for openshift.io/v1beta1'] }],
])('what %s does to calls of a provider, and to which', async (name, fates) => {
  expect(
    await fatesBy(name, anything, ({ meddlers }, kind) => {
      const call = providerCalls.get(kind);
      const fate = call && meddlers.provider(call);
      if (typeof fate !== 'object') return fate;
      if ('says' in fate) return `says ${fate.says.kind}`;
      return 'hangs' in fate ? `hangs ${fate.hangs}` : `is said ${fate.when}`;
    }),
  ).toEqual(sorted(fates));
});
