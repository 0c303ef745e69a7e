import { describe, expect, test } from 'vitest';
import { createApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import { VirtualClock } from '../../golden/kubernetes/virtual-clock.ts';
import { policyDefinitions } from '../../stories/stage/hook-definitions.ts';

const clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
const { cluster } = createApiServer({ clock, random: () => 0.5 });
cluster.create('namespaces', { metadata: { name: 'fleet' } });
for (const definition of policyDefinitions)
  cluster.create('customresourcedefinitions.apiextensions.k8s.io', definition);

const policies = 'drainpolicies.phaseout.dev';
let made = 0;

const create = (spec: object, name = `policy-${(made += 1)}`) =>
  cluster.create(policies, {
    apiVersion: 'phaseout.dev/v1alpha1',
    kind: 'DrainPolicy',
    metadata: { name, namespace: 'fleet' },
    spec,
  });

const night = { schedule: '0 22 * * 1-5', duration: '6h' };

const restart = { cause: 'BudgetNeverAllows', after: '10m', action: 'RolloutRestart' };

test('an action is for one replica at most unless it says more', () => {
  expect(create({ blocked: [restart] })['spec']).toMatchObject({ blocked: [{ ...restart, maxReplicas: 1 }] });
});

test('the least there is has all defaults', () => {
  expect(create({ maxUnavailable: 1 })['spec']).toEqual({
    maxUnavailable: 1,
    controlPlanes: false,
    machinePools: false,
    windowsFor: 'Healthy',
  });
});

test('a window is in UTC unless it says another zone', () => {
  expect(create({ windows: [night] })['spec']).toMatchObject({ windows: [{ ...night, timeZone: 'UTC' }] });
});

test.each<[what: string, spec: object]>([
  [
    'every field',
    {
      machines: [{ selector: { matchLabels: { pool: 'web' } }, clusterSelector: {} }],
      controlPlanes: true,
      machinePools: true,
      maxUnavailable: '10%',
      windows: [{ ...night, timeZone: 'Europe/Berlin' }],
      windowsFor: 'All',
      blocked: [{ ...restart, pods: { selector: {}, namespaceSelector: {} }, maxReplicas: 3 }],
    },
  ],
  ['all of them', { maxUnavailable: '100%' }],
  ['a week', { windows: [{ ...night, duration: '168h' }] }],
])('takes %s', (_what, spec) => {
  expect(() => create(spec)).not.toThrow();
});

describe('refuses', () => {
  test.each<[what: string, spec: object, why: RegExp]>([
    ['nothing', {}, /maxUnavailable, windows or blocked is needed/],
    ['a cause that is only for a moment', { blocked: [{ ...restart, cause: 'Throttled' }] }, /cause/],
    ['an action that forces', { blocked: [{ ...restart, action: 'Force' }] }, /action/],
    ['an action without its time', { blocked: [{ cause: 'MultipleBudgets', action: 'Delete' }] }, /after/],
    ['no replicas', { blocked: [{ ...restart, maxReplicas: 0 }] }, /maxReplicas/],
    ['none at once', { maxUnavailable: 0 }, /maxUnavailable must be at least 1/],
    ['0%', { maxUnavailable: '0%' }, /spec\.maxUnavailable/],
    ['more than all', { maxUnavailable: '101%' }, /spec\.maxUnavailable/],
    ['a number as text', { maxUnavailable: '1' }, /spec\.maxUnavailable/],
    ['an empty list of windows', { windows: [] }, /spec\.windows/],
    ['a schedule of four fields', { windows: [{ ...night, schedule: '0 22 * *' }] }, /schedule/],
    ['no duration', { windows: [{ schedule: '0 22 * * *' }] }, /duration/],
    [
      'a duration of seconds',
      { windows: [{ ...night, duration: '30s' }] },
      /duration must be from 1m to 168h/,
    ],
    ['other Machines than these', { maxUnavailable: 1, windowsFor: 'Broken' }, /windowsFor/],
  ])('%s', (_what, spec, why) => {
    expect(() => create(spec)).toThrow(why);
  });
});

test('the status has who began, and is no part of the object otherwise', () => {
  const { metadata } = create({ maxUnavailable: 1 }, 'workers');
  const begun = [{ uid: 'uid-1', name: 'worker-1', since: '2026-01-01T00:00:00Z' }];
  cluster.patch(
    policies,
    { metadata: { name: 'workers', namespace: 'fleet' } },
    { status: { begun } },
    'status',
  );
  expect(cluster.get(policies, 'fleet', 'workers')).toMatchObject({
    metadata: { uid: metadata.uid },
    status: { begun },
  });
});
