import { describe, expect, test } from 'vitest';
import { createApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import { VirtualClock } from '../../golden/kubernetes/virtual-clock.ts';
import { hookDefinitions } from '../../stories/stage/hook-definitions.ts';

const clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
const { cluster } = createApiServer({ clock, random: () => 0.5 });
cluster.create('namespaces', { metadata: { name: 'fleet' } });
for (const definition of hookDefinitions)
  cluster.create('customresourcedefinitions.apiextensions.k8s.io', definition);

let made = 0;

function create(spec: object, name = `hook-${(made += 1)}`) {
  return cluster.create('deletionhooks.phaseout.dev', {
    apiVersion: 'phaseout.dev/v1alpha1',
    kind: 'DeletionHook',
    metadata: { name, namespace: 'fleet' },
    spec,
  });
}

const limit = { timeout: '2h', onTimeout: 'Hold' };

test('the least there is has all defaults', () => {
  expect(create({ at: 'PreDrain' })['spec']).toEqual({
    setBy: 'Phaseout',
    at: 'PreDrain',
    controlPlanes: false,
    machinePools: false,
    order: 0,
    every: '30s',
    silentAfter: '5m',
    whenGone: 'Hold',
    onClusterDeletion: 'Proceed',
  });
});

test.each<[what: string, spec: object]>([
  [
    'every field',
    {
      at: 'PreTerminate',
      ...limit,
      every: '1m30s',
      contact: '#a',
      runbook: 'https://x.test',
      send: { labels: ['a.b/c'] },
    },
  ],
  ['a hook that holds while its Cluster goes', { at: 'PreTerminate', onClusterDeletion: 'Hold' }],
  [
    'the shortest and the longest times',
    { at: 'PreDrain', every: '5s', silentAfter: '24h', timeout: '720h', onTimeout: 'Proceed' },
  ],
])('takes %s', (_what, spec) => {
  expect(() => create(spec)).not.toThrow();
});

describe('refuses', () => {
  test.each<[what: string, spec: object, why: RegExp]>([
    ['no place', {}, /spec\.at: Required/],
    ['an unknown place', { at: 'PreBoot' }, /spec\.at: Unsupported value/],
    [
      'a time limit without what follows',
      { at: 'PreDrain', timeout: '1h' },
      /timeout and onTimeout are given together/,
    ],
    ['what follows a time limit that there is not', { at: 'PreDrain', onTimeout: 'Hold' }, /given together/],
    ['asking too often', { at: 'PreDrain', every: '4s' }, /every must be from 5s to 1h/],
    [
      'a time limit that ends at once',
      { at: 'PreDrain', timeout: '1s', onTimeout: 'Hold' },
      /timeout must be from 30s/,
    ],
    ['a duration without a unit', { at: 'PreDrain', every: '30' }, /spec\.every: Invalid value/],
    [
      'a hold before the drain while the Cluster goes',
      { at: 'PreDrain', onClusterDeletion: 'Hold' },
      /needs at PreTerminate/,
    ],
    ['an empty list of machines', { at: 'PreDrain', machines: [] }, /spec\.machines: Invalid value/],
    ['an empty entry', { at: 'PreDrain', machines: [{}] }, /spec\.machines\[0\]: Invalid value/],
    [
      'two equal entries',
      { at: 'PreDrain', machines: [{ selector: {} }, { selector: {} }] },
      /must be unique/,
    ],
    [
      'a runbook that is no address',
      { at: 'PreDrain', runbook: 'javascript:x' },
      /spec\.runbook: Invalid value/,
    ],
    ['no labels to send', { at: 'PreDrain', send: { labels: [] } }, /spec\.send\.labels: Invalid value/],
  ])('%s', (_what, spec, why) => {
    expect(() => create(spec)).toThrow(why);
  });

  test('a name that is too long for a label', () => {
    expect(() => create({ at: 'PreDrain' }, 'a'.repeat(64))).toThrow(/no more than 63 characters/);
  });

  test('another place', () => {
    const hook = create({ at: 'PreDrain' });
    expect(() => cluster.patch('deletionhooks.phaseout.dev', hook, { spec: { at: 'PreTerminate' } })).toThrow(
      /at is immutable/,
    );
  });
});
