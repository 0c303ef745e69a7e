import { describe, expect, test } from 'vitest';
import type { HookRow } from '../../../../shared/explain/hooks/hook-report.ts';
import { reportHooks } from '../../../../shared/explain/hooks/report-hooks.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { aMachine, anEvent, anOpenShiftMachine, backUpLogs, moveTraffic, now, ours } from './machines.ts';

const report = (machines: KubeObject[], events: KubeObject[] | undefined = []) =>
  reportHooks({ machines, templates: [], events, now });

const rowsOf = (...machines: KubeObject[]): readonly HookRow[] => report(machines).rows;

const onBoth = { [moveTraffic]: 'balancer', [backUpLogs]: '' };
const ref = (name: string) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  namespace: 'fleet',
  name,
  uid: `uid-${name}`,
});

const holds = (since: string, isAtMost = false) => ({ kind: 'holds', since, isAtMost });
const no = (why: string) => ({ kind: 'no', why });

const unmatched = (machine: KubeObject): string[] =>
  report([machine]).warnings.flatMap(({ kind, hook }) => (kind === 'unmatched-key' ? [hook] : []));

const held = (minutes: number, owner = 'load-balancer') =>
  aMachine('a', {
    annotations: { [moveTraffic]: owner },
    deleted: minutes,
    reason: 'WaitingForPreDrainHook',
  });
const silent = (machine: KubeObject, events: KubeObject[] | undefined): string[] =>
  report([machine], events).warnings.map(({ message }) => message);

describe('the hooks of Cluster API', () => {
  test('on a living Machine hold nothing, with or without an owner', () => {
    expect(rowsOf(aMachine('a', { annotations: { ...onBoth, other: 'x' } }))).toEqual([
      {
        machine: ref('a'),
        point: 'pre-drain',
        hook: moveTraffic,
        owner: 'balancer',
        holding: { kind: 'living' },
      },
      { machine: ref('a'), point: 'pre-terminate', hook: backUpLogs, holding: { kind: 'living' } },
    ]);
  });

  test('need no slash', () => {
    const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io-custom/alpha';
    expect(rowsOf(aMachine('a', { annotations: { [hook]: 'x' } }))).toMatchObject([
      { point: 'pre-drain', hook },
    ]);
  });

  const times = { waitForPreDrainHookStartTime: '2026-11-27T11:50:00Z' };
  const later = { ...times, waitForPreTerminateHookStartTime: '2026-11-27T11:58:00Z' };

  test.each<[string, Parameters<typeof aMachine>[1], unknown[]]>([
    [
      'the one before the drain holds, by the time that the Machine says',
      { reason: 'WaitingForPreDrainHook', status: { deletion: times } },
      [holds('2026-11-27T11:50:00Z'), no('WaitingForPreDrainHook')],
    ],
    [
      'without such a time it is at most since the deletion',
      { reason: 'WaitingForPreDrainHook' },
      [holds('2026-11-27T11:40:00Z', true), no('WaitingForPreDrainHook')],
    ],
    [
      'a Machine that shows nothing yet meets those before the drain first',
      {},
      [holds('2026-11-27T11:40:00Z', true), no('Deleting')],
    ],
    [
      'one that is on while its Node is drained was set late, and holds all the same',
      { reason: 'DrainingNode' },
      [holds('2026-11-27T11:40:00Z', true), no('WaitingForPreDrainHook')],
    ],
    [
      'the one before the server ends holds in its turn',
      { reason: 'WaitingForPreTerminateHook', status: { deletion: later } },
      [holds('2026-11-27T11:58:00Z', true), holds('2026-11-27T11:58:00Z')],
    ],
    [
      'a paused Machine waits for that',
      { metadata: { annotations: { ...onBoth, 'cluster.x-k8s.io/paused': '' } } },
      [no('Paused'), no('Paused')],
    ],
  ])('%s', (_, given, holding) => {
    const rows = rowsOf(aMachine('a', { annotations: onBoth, deleted: 20, ...given }));
    expect(rows.map((row) => row.holding)).toEqual(holding);
  });

  test('ours holds the API’s own controller as long as it is on, whatever we are at', () => {
    const checkpoint = {
      v: 1,
      uid: 'uid-a',
      seq: 3,
      phase: 'drain',
      since: '2026-11-27T11:55:00Z',
      passed: {},
    };
    const annotations = { [ours]: 'phaseout.dev', 'phaseout.dev/checkpoint': JSON.stringify(checkpoint) };
    expect(rowsOf(aMachine('a', { annotations, deleted: 20 }))).toEqual([
      {
        machine: ref('a'),
        point: 'pre-drain',
        hook: ours,
        owner: 'phaseout.dev',
        holding: holds('2026-11-27T11:40:00Z', true),
      },
    ]);
  });

  test('are on since the last write of the manager that owns the key, at the latest', () => {
    const managedFields = [
      { manager: 'manager', time: '2026-11-27T10:00:00Z', fieldsV1: { 'f:spec': {} } },
      {
        manager: 'kubectl-annotate',
        time: '2026-11-27T11:00:00Z',
        fieldsV1: { 'f:metadata': { 'f:annotations': { [`f:${moveTraffic}`]: {} } } },
      },
    ];
    const [set, unset] = rowsOf(aMachine('a', { annotations: onBoth, metadata: { managedFields } }));
    expect(set?.set).toEqual({ manager: 'kubectl-annotate', by: '2026-11-27T11:00:00Z' });
    expect(unset).not.toHaveProperty('set');
  });

  test('that hold come first, the longest of them before the others', () => {
    const rows = rowsOf(
      aMachine('a', { annotations: onBoth }),
      aMachine('b', { annotations: onBoth, deleted: 5, reason: 'WaitingForPreDrainHook' }),
      aMachine('c', { annotations: onBoth, deleted: 50, reason: 'WaitingForPreDrainHook' }),
    );
    expect(rows.map(({ machine, point }) => `${machine.name} ${point}`)).toEqual([
      'c pre-drain',
      'b pre-drain',
      'b pre-terminate',
      'c pre-terminate',
      'a pre-drain',
      'a pre-terminate',
    ]);
  });
});

describe('the hooks of OpenShift', () => {
  const lifecycleHooks = {
    preDrain: [{ name: 'Quorum', owner: 'clusteroperator/etcd' }],
    preTerminate: [{ name: 'BackUp', owner: 'backup' }],
  };
  const drained = {
    conditions: [{ type: 'Drained', status: 'True', lastTransitionTime: '2026-11-27T11:50:00Z' }],
  };
  const since = { since: '2026-11-27T11:40:00Z', isAtMost: true };

  test.each([
    ['living', {}, [{ kind: 'living' }, { kind: 'living' }]],
    [
      'deleted',
      { deleted: 20 },
      [
        { kind: 'holds', ...since },
        { kind: 'no', why: 'WaitingForPreDrainHook' },
      ],
    ],
    [
      'drained',
      { deleted: 20, status: { nodeRef: { name: 'a' }, ...drained } },
      [
        { kind: 'holds', ...since },
        { kind: 'no', why: 'its API passes it over' },
      ],
    ],
    [
      'excluded from drains',
      { deleted: 20, annotations: { 'machine.openshift.io/exclude-node-draining': '' } },
      [
        { kind: 'no', why: 'its API passes it over' },
        { kind: 'no', why: 'DrainingNode' },
      ],
    ],
  ])('of a Machine that is %s', (_, given, holding) => {
    const rows = rowsOf(
      anOpenShiftMachine('a', { ...given, spec: { providerSpec: { value: {} }, lifecycleHooks } }),
    );
    expect(rows.map((row) => row.holding)).toEqual(holding);
  });

  test('have their owner, and their manager by the name in the list', () => {
    const managedFields = [
      {
        manager: 'cluster-etcd-operator',
        time: '2026-11-27T09:00:00Z',
        fieldsV1: { 'f:spec': { 'f:lifecycleHooks': { 'f:preDrain': { 'k:{"name":"Quorum"}': {} } } } },
      },
    ];
    const [row] = rowsOf(anOpenShiftMachine('a', { spec: { lifecycleHooks }, metadata: { managedFields } }));
    expect(row).toMatchObject({
      machine: { apiVersion: 'machine.openshift.io/v1beta1', name: 'a' },
      point: 'pre-drain',
      hook: 'Quorum',
      owner: 'clusteroperator/etcd',
      set: { manager: 'cluster-etcd-operator', by: '2026-11-27T09:00:00Z' },
    });
  });

  test('that cannot be read are said to be unknown', () => {
    const { rows, warnings } = report([
      anOpenShiftMachine('a', { spec: { lifecycleHooks: { preDrain: 'x' } } }),
    ]);
    expect(rows).toEqual([]);
    expect(warnings).toMatchObject([
      {
        kind: 'unreadable',
        object: 'Machine openshift-machine-api/a',
        message: expect.stringMatching(/^its hooks are unknown: /),
      },
    ]);
  });
});

describe('keys that no controller takes for a hook', () => {
  test.each([
    'pre-drain.delete.hook.machine.cluster-x-k8s.io/move-traffic',
    'pre-drain.delete.hook.machine.cluster-api.x-k8s.io/move-traffic',
    'pre-drain.hook.machine.cluster.x-k8s.io/move-traffic',
    'Pre-Drain.delete.hook.machine.cluster.x-k8s.io/move-traffic',
    'predrain.delete.hook.machine.cluster.x-k8s.io/move-traffic',
    'pre-drian.delete.hook.machine.cluster.x-k8s.io/move-traffic',
    'pre-terminate.delete.hooks.machine.cluster.x-k8s.io/back-up',
    'pre-terminate.delete-hook.machine.cluster.x-k8s.io/back-up',
  ])('%s', (key) => {
    const machine = aMachine('a', { annotations: { [key]: 'balancer' } });
    expect(report([machine])).toEqual({
      rows: [],
      warnings: [
        {
          kind: 'unmatched-key',
          object: 'Machine fleet/a',
          hook: key,
          message: 'no controller of cluster.x-k8s.io takes this key for a hook: it holds nothing',
        },
      ],
    });
  });

  test.each([
    moveTraffic,
    'machine.cluster.x-k8s.io/exclude-node-draining',
    'phaseout.dev/hook-pre-drain',
    'before-upgrade.hook.cluster.cluster.x-k8s.io/test',
    'webhook.example.com/pre-checked',
    'example.com/hook',
  ])('%s is none of them', (key) => {
    expect(unmatched(aMachine('a', { annotations: { [key]: '' } }))).toEqual([]);
  });

  test('are all those of Cluster API on Machines of another API', () => {
    expect(unmatched(anOpenShiftMachine('a', { annotations: { [moveTraffic]: '' } }))).toEqual([moveTraffic]);
    const original: KubeObject = {
      apiVersion: 'cluster.k8s.io/v1alpha1',
      kind: 'Machine',
      metadata: { name: 'a', namespace: 'fleet', uid: 'a', annotations: { [moveTraffic]: '' } },
      spec: {},
    };
    expect(unmatched(original)).toEqual([moveTraffic]);
  });
});

describe('a hook that has held for more than 15 minutes', () => {
  test('without an Event of its owner on the Machine is warned of', () => {
    expect(report([held(16)]).warnings).toEqual([
      {
        kind: 'silent-owner',
        object: 'Machine fleet/a',
        hook: moveTraffic,
        message:
          'it has held for at most 16 min, without any Event of load-balancer on the Machine: does that run?',
      },
    ]);
  });

  test.each([
    ['less than that', held(15), []],
    ['an Event of the owner', held(60), [anEvent('a', 'load-balancer')]],
    [
      'an Event of a controller that the owner is a part of',
      held(60),
      [anEvent('a', 'aws-load-balancer-controller')],
    ],
    [
      'an Event of a controller that is a part of the owner',
      held(60, 'platform/balancer'),
      [anEvent('a', 'Balancer')],
    ],
    ['an Event of a controller that is named as the hook', held(60, ''), [anEvent('a', 'move-traffic')]],
    ['Events that could not be read', held(60), undefined],
  ])('with %s there is nothing to warn of', (_, machine, events) => {
    const told = reportHooks({ machines: [machine], templates: [], events, now }).warnings;
    expect(told).toEqual([]);
  });

  test.each([
    ['of other controllers', anEvent('a', 'machine-controller')],
    ['on another Machine', anEvent('b', 'load-balancer')],
    ['of a name that only begins the same', anEvent('a', 'load-balancers')],
  ])('Events %s are no sign of its owner', (_, event) => {
    expect(silent(held(60), [event])).toHaveLength(1);
  });

  test('names who has put it on where it names no owner', () => {
    const managedFields = [
      {
        manager: 'traffic-operator',
        time: '2026-11-27T10:00:00Z',
        fieldsV1: { 'f:metadata': { 'f:annotations': { [`f:${moveTraffic}`]: {} } } },
      },
    ];
    const machine = held(60, '');
    const owned = { ...machine, metadata: { ...machine.metadata, managedFields } };
    expect(silent(owned, [])).toEqual([
      'it has held for at most 60 min, without any Event of traffic-operator on the Machine: does that run?',
    ]);
    expect(silent(owned, [anEvent('a', 'traffic-operator')])).toEqual([]);
    expect(silent(machine, [])).toEqual([
      'it has held for at most 60 min, without any Event of its owner, which is unknown on the Machine: does that run?',
    ]);
  });
});
