import { describe, expect, test } from 'vitest';
import type { Exchange } from '../wire/exchange.ts';
import { deedOf, wordsOf } from './deeds.ts';

const asked = (parts: Partial<Exchange>): Exchange => ({
  instance: 'instance-1',
  host: 'management',
  method: '',
  verb: 'patch',
  resource: 'machines.cluster.x-k8s.io',
  namespace: '',
  name: '',
  path: '',
  query: {},
  body: undefined,
  ...parts,
});

const m1 = { namespace: 'fleet', name: 'm1' };
const infrastructure = 'awsmachines.infrastructure.cluster.x-k8s.io';
const bootstrap = 'kubeadmconfigs.bootstrap.cluster.x-k8s.io';
const lease = 'leases.coordination.k8s.io';

describe('a request in words', () => {
  test.each<[Partial<Exchange>, string | undefined]>([
    [{ verb: 'get', ...m1 }, undefined],
    [{ verb: 'get', resource: '/apis/cluster.x-k8s.io' }, undefined],
    [
      { host: 'blue', verb: 'create', resource: 'pods/eviction', namespace: 'shop', name: 'a' },
      'evicts Pod shop/a in blue',
    ],
    [
      {
        verb: 'create',
        resource: 'pods/eviction',
        namespace: 'shop',
        name: 'a',
        body: { deleteOptions: { gracePeriodSeconds: 1 } },
      },
      'evicts Pod shop/a, with 1 s to stop',
    ],
    [{ host: 'blue', resource: 'nodes', name: 'n' }, 'cordons Node n in blue'],
    [{ host: 'blue', verb: 'delete', resource: 'nodes', name: 'n' }, 'deletes Node n in blue'],
    [
      { verb: 'delete', resource: infrastructure, ...m1 },
      `deletes the infrastructure fleet/m1 (${infrastructure})`,
    ],
    [{ verb: 'delete', resource: bootstrap, ...m1 }, `deletes the bootstrap config fleet/m1 (${bootstrap})`],
    [{ ...m1, body: [] }, 'takes the finalizer off Machine fleet/m1'],
    [{ ...m1, body: { metadata: { finalizers: [] } } }, 'puts the finalizer on Machine fleet/m1'],
    [{ ...m1, body: { metadata: { annotations: {} } } }, 'writes the checkpoint of Machine fleet/m1'],
    [
      { ...m1, body: { metadata: { annotations: { 'phaseout.dev/hooks': '{}' } } } },
      'writes whom to ask about Machine fleet/m1',
    ],
    [{ ...m1, body: { spec: {} } }, 'writes into Machine fleet/m1'],
    [{ resource: 'machines.cluster.x-k8s.io/status', ...m1 }, 'writes the status of Machine fleet/m1'],
    [
      { verb: 'create', resource: lease, namespace: 'default', body: { metadata: { name: 'cordon' } } },
      'creates Lease default/cordon',
    ],
    [
      {
        verb: 'create',
        resource: 'events',
        namespace: 'fleet',
        body: { reason: 'Drained', message: 'all is off', involvedObject: { kind: 'Machine', ...m1 } },
      },
      'writes the Event Drained about Machine fleet/m1: all is off',
    ],
    [{ resource: 'secrets', ...m1 }, 'patches secrets fleet/m1'],
  ])('%j', (parts, words) => {
    expect(wordsOf(asked(parts))).toBe(words);
  });

  test.each([
    [409, { reason: 'Conflict', message: 'please apply your changes' }, ': 409 Conflict'],
    [
      409,
      { reason: 'Conflict', message: 'the UID in the precondition (a) does not match the UID in record (b)' },
      ': 409 Conflict, another one has its name by now',
    ],
    [404, { reason: 'NotFound', message: 'nodes "n" not found' }, ': 404 NotFound'],
    [429, { reason: 'TooManyRequests', message: 'the budget says no' }, ': 429 the budget says no'],
    [200, {}, ''],
  ])('answered %i %j', (code, body, after) => {
    expect(deedOf(asked({ resource: 'nodes', name: 'n' }), { code, body })).toBe(`cordons Node n${after}`);
  });
});
