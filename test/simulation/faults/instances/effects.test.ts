import { expect, test } from 'vitest';
import type { Exchange } from '../../wire/exchange.ts';
import { deedOf } from './effects.ts';

const exchange = (verb: string, resource: string, body?: unknown): Exchange => ({
  instance: 'instance-1',
  host: 'management',
  method: '',
  verb,
  resource,
  namespace: 'fleet',
  name: 'm',
  path: '',
  query: {},
  body,
});

const machines = 'machines.cluster.x-k8s.io';
const checkpoint = { metadata: { annotations: { 'phaseout.dev/checkpoint': '{}' } } };
const noFinalizer = [{ op: 'remove', path: '/metadata/finalizers/0' }];

test.each([
  ['an eviction', exchange('create', 'pods/eviction', {}), 'eviction'],
  ['a delete of whatever it is', exchange('delete', 'nodes'), 'delete'],
  ['a cordon', exchange('patch', 'nodes', { spec: { unschedulable: true } }), 'cordon'],
  ['a checkpoint', exchange('patch', machines, checkpoint), 'record'],
  ['a status', exchange('patch', `${machines}/status`, { status: {} }), 'record'],
  ['the end of our finalizer', exchange('patch', machines, noFinalizer), 'finalizer'],
  ['a look', exchange('get', machines), undefined],
  ['an Event', exchange('create', 'events', {}), undefined],
])('%s', (_what, asked, kind) => {
  expect(deedOf(asked)).toBe(kind);
});
