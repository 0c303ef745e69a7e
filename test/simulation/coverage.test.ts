import { expect, test } from 'vitest';
import { addCoverage, covering, noCoverage } from './coverage.ts';
import type { ProviderCall } from './platform/provider.ts';
import type { Exchange } from './wire/exchange.ts';

const asked = (verb: string): Exchange => ({
  instance: 'instance-1',
  host: 'blue',
  method: '',
  verb,
  resource: 'nodes',
  namespace: '',
  name: 'n',
  path: '',
  query: {},
  body: undefined,
});

const call: ProviderCall = {
  instance: 'instance-1',
  operation: 'delete',
  machine: { apiVersion: 'cluster.k8s.io/v1alpha1', kind: 'Machine', metadata: { name: 'm' } },
  cluster: undefined,
};

test('a fault counts once in each phase that it strikes, or between them', () => {
  const coverage = noCoverage();
  const observer = covering(coverage)();
  observer.hit?.('crash', ['drain', 'drain', 'node'], 'instance-1');
  observer.hit?.('crash', ['drain'], 'instance-1');
  observer.hit?.('crash', [], undefined);
  expect(coverage).toEqual({ hits: { crash: { drain: 2, node: 1, between: 1 } }, effects: {} });
});

test('what was done counts, and what was only looked at or refused does not', () => {
  const coverage = noCoverage();
  const observer = covering(coverage)();
  for (const verb of ['get', 'list', 'watch', 'patch', 'patch', 'delete'])
    observer.after?.(asked(verb), { code: 200, body: undefined });
  observer.after?.(asked('delete'), { code: 409, body: undefined });
  observer.provider?.(call, { kind: 'accepted' });
  observer.provider?.(call, undefined);
  expect(coverage).toEqual({
    hits: {},
    effects: { 'patch nodes': 2, 'delete nodes': 1, 'provider: delete => accepted': 1 },
  });
});

test('what several worlds covered is added up', () => {
  const sum = noCoverage();
  addCoverage(sum, { hits: { crash: { drain: 1 } }, effects: { 'delete nodes': 1 } });
  addCoverage(sum, {
    hits: { crash: { drain: 2, node: 1 }, lost: { node: 1 } },
    effects: { 'delete nodes': 4 },
  });
  expect(sum).toEqual({
    hits: { crash: { drain: 3, node: 1 }, lost: { node: 1 } },
    effects: { 'delete nodes': 5 },
  });
});
