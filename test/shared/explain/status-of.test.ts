import { describe, expect, it } from 'vitest';
import type { DeletionStatus } from '../../../shared/explain/deletion-status.ts';
import { standingOf, standingOrUnread, worstFirst } from '../../../shared/explain/status-of.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { ourHook } from '../../builders/beside.ts';
import { recording } from '../dialects/capi/golden.ts';
import { checkpoint, now, ofClusterApi, ofOpenShift, ofV1alpha1, shows } from './standings.ts';

const stand = (machine: KubeObject): DeletionStatus | undefined => standingOf(machine, { now });

/** Who carries it on, where it is since when, what it waits for, and who has to act. */
const row = (machine: KubeObject): unknown[] => {
  const standing = stand(machine);
  return [
    standing?.carriedBy,
    standing?.phase,
    standing?.since?.slice(11),
    standing?.waitsFor.reason,
    standing?.waitsFor.message,
    standing?.acts.who,
    standing?.acts.name,
    standing?.state,
  ];
};

const theirHook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/move-traffic';
const hooked = `Waiting for pre-drain hooks to succeed (hooks: ${theirHook})`;
const budgetRefuses =
  "* Pods shop/web-1, shop/web-2: cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 2 healthy pods and has 2 currently";
const ruled = ['shop/web-1', 'shop/web-2']
  .map(
    (pod) =>
      `* Pod ${pod}: at 2026-11-27T12:12:00Z its Deployment is restarted (DrainPolicy workers, BudgetNeverAllows)`,
  )
  .join('\n');
const draining = (line: string) => `Drain not completed yet (started at 2026-11-27T12:02:00Z):\n${line}`;
const controller = "the API's own controller";

describe('a Machine of Cluster API that phaseout deletes in the place of its controller', () => {
  it.each<[string, KubeObject, unknown[]]>([
    [
      'waits for the owner of a hook',
      ofClusterApi({
        checkpoint: { phase: 'pre-drain' },
        annotations: { [theirHook]: 'mover' },
        status: shows('WaitingForPreDrainHook', hooked),
      }),
      [
        'phaseout',
        'pre-drain',
        '12:02:00Z',
        'WaitingForPreDrainHook',
        hooked,
        'hook-owner',
        'mover (move-traffic)',
        'held',
      ],
    ],
    [
      'waits for the owner of a budget',
      ofClusterApi({ checkpoint: {}, status: shows('DrainingNode', draining(budgetRefuses)) }),
      [
        'phaseout',
        'drain',
        '12:02:00Z',
        'DrainingNode',
        draining(budgetRefuses),
        'budget-owner',
        'the owner of PodDisruptionBudget shop/web',
        'held',
      ],
    ],
    [
      'waits for a policy that acts on the Pod of a budget',
      ofClusterApi({ checkpoint: {}, status: shows('DrainingNode', draining(`${budgetRefuses}\n${ruled}`)) }),
      [
        'phaseout',
        'drain',
        '12:02:00Z',
        'DrainingNode',
        draining(`${budgetRefuses}\n${ruled}`),
        'policy',
        'DrainPolicy workers',
        'progressing',
      ],
    ],
    [
      'waits for Pods that stop',
      ofClusterApi({
        checkpoint: {},
        status: shows(
          'DrainingNode',
          draining('* Pod shop/a: deletionTimestamp set, but still not removed from the Node'),
        ),
      }),
      [
        'phaseout',
        'drain',
        '12:02:00Z',
        'DrainingNode',
        draining('* Pod shop/a: deletionTimestamp set, but still not removed from the Node'),
        'pods',
        'the Pods that stop: shop/a',
        'progressing',
      ],
    ],
    [
      'has gone on from what its condition says',
      ofClusterApi({
        checkpoint: { phase: 'infrastructure' },
        status: shows('DrainingNode', draining(budgetRefuses)),
      }),
      [
        'phaseout',
        'infrastructure',
        '12:02:00Z',
        'WaitingForInfrastructureDeletion',
        'Waiting for AWSMachine to be deleted',
        'infrastructure',
        'the provider of AWSMachine md-1',
        'progressing',
      ],
    ],
    [
      'is paused',
      ofClusterApi({ checkpoint: {}, annotations: { 'cluster.x-k8s.io/paused': '' } }),
      [
        'phaseout',
        'drain',
        '12:02:00Z',
        'Paused',
        'Machine has the cluster.x-k8s.io/paused annotation',
        'operator',
        'an operator: it is paused',
        'held',
      ],
    ],
    [
      'cannot be gone on with',
      ofClusterApi({
        checkpoint: { phase: 'infrastructure' },
        status: shows(
          'InternalError',
          'Failed to delete AWSMachine, please check controller logs for errors',
        ),
      }),
      [
        'phaseout',
        'infrastructure',
        '12:02:00Z',
        'InternalError',
        'Failed to delete AWSMachine, please check controller logs for errors',
        'operator',
        'an operator: the message says what fails',
        'held',
      ],
    ],
    [
      'is kept by the finalizers of others',
      ofClusterApi({ checkpoint: { phase: 'finalize' }, finalizers: ['example.com/audit'] }),
      [
        'phaseout',
        'finalize',
        '12:02:00Z',
        'DeletionCompleted',
        'the finalizer machine.cluster.x-k8s.io is gone: those of others keep it: example.com/audit',
        'finalizer-owner',
        'the owners of the finalizers example.com/audit',
        'held',
      ],
    ],
  ])('%s', (_sentence, machine, expected) => {
    expect(row(machine)).toEqual(expected);
  });
});

const ours = { [ourHook]: 'phaseout.dev' };
const drainingCondition = (reason: string, message: string, status = 'True') => ({
  conditions: [
    ...shows('WaitingForPreDrainHook', `Waiting for pre-drain hooks to succeed (hooks: ${ourHook})`)
      .conditions,
    { type: 'phaseout.dev/Draining', status, reason, message },
  ],
});

describe('a Machine of Cluster API beside its controller', () => {
  it.each<[string, KubeObject, unknown[]]>([
    [
      'is drained by phaseout, whose condition says how far',
      ofClusterApi({
        annotations: ours,
        checkpoint: {},
        status: drainingCondition('DrainingNode', draining(budgetRefuses)),
      }),
      [
        'phaseout',
        'drain',
        '12:02:00Z',
        'DrainingNode',
        draining(budgetRefuses),
        'budget-owner',
        'the owner of PodDisruptionBudget shop/web',
        'held',
      ],
    ],
    [
      'has not been seen by phaseout yet',
      ofClusterApi({ annotations: ours, status: shows('WaitingForPreDrainHook', '') }),
      [
        'phaseout',
        'pre-drain',
        undefined,
        'WaitingForPreDrainHook',
        `phaseout has not begun yet: the hook ${ourHook} holds it`,
        'phaseout',
        'phaseout',
        'progressing',
      ],
    ],
    [
      'was handed over, and its controller goes on',
      ofClusterApi({
        checkpoint: { phase: 'hand-over', released: '2026-11-27T12:05:00Z' },
        status: shows('WaitingForInfrastructureDeletion', 'Waiting for AWSMachine to be deleted'),
      }),
      [
        'controller',
        'infrastructure',
        undefined,
        'WaitingForInfrastructureDeletion',
        'Waiting for AWSMachine to be deleted',
        'infrastructure',
        'the provider of AWSMachine md-1',
        'progressing',
      ],
    ],
    [
      'was never phaseout’s, and its controller drains it',
      ofClusterApi({
        status: shows('DrainingNode', draining(budgetRefuses), {
          deletion: { nodeDrainStartTime: '2026-11-27T12:01:00Z' },
        }),
      }),
      [
        'controller',
        'drain',
        '12:01:00Z',
        'DrainingNode',
        draining(budgetRefuses),
        'budget-owner',
        'the owner of PodDisruptionBudget shop/web',
        'held',
      ],
    ],
    [
      'was never phaseout’s, and shows nothing yet',
      ofClusterApi(),
      [
        'controller',
        undefined,
        undefined,
        'Deleting',
        'its own controller shows nothing of it yet',
        'controller',
        controller,
        'progressing',
      ],
    ],
  ])('%s', (_sentence, machine, expected) => {
    expect(row(machine)).toEqual(expected);
  });

  it('belongs to the installation that its hook names', () => {
    const blue = `${ourHook}-blue`;
    const machine = ofClusterApi({ annotations: { [blue]: 'phaseout.dev' }, checkpoint: {} });
    expect(row(machine).slice(0, 2)).toEqual(['phaseout', 'drain']);
  });
});

const openShiftCondition = (type: string, message: string, status = 'False', reason = 'HookPresent') => ({
  conditions: [{ type, status, reason, severity: 'Warning', message }],
});
const openShiftHooks = { lifecycleHooks: { preDrain: [{ name: 'Quorum', owner: 'etcd' }] } };
const blocked = 'Drain operation currently blocked by: [{Name:Quorum Owner:etcd}]';

describe('a Machine of OpenShift', () => {
  it.each<[string, KubeObject, unknown[]]>([
    [
      'waits for a hook while its own controllers delete it',
      ofOpenShift({ spec: openShiftHooks, status: openShiftCondition('Drainable', blocked) }),
      [
        'controller',
        'pre-drain',
        undefined,
        'WaitingForPreDrainHook',
        blocked,
        'hook-owner',
        'etcd (Quorum)',
        'held',
      ],
    ],
    [
      'is drained by its own controller, which says nothing',
      ofOpenShift(),
      [
        'controller',
        'drain',
        undefined,
        'DrainingNode',
        'Draining the Node',
        'controller',
        controller,
        'progressing',
      ],
    ],
    [
      'is drained: its server goes',
      ofOpenShift({ status: openShiftCondition('Drained', '', 'True', '') }),
      [
        'controller',
        'infrastructure',
        undefined,
        'WaitingForInfrastructureDeletion',
        'Waiting for the instance to be deleted',
        'infrastructure',
        'the provider of servers',
        'progressing',
      ],
    ],
    [
      'is drained by phaseout',
      ofOpenShift({
        checkpoint: {},
        status: openShiftCondition(
          'Drained',
          `could not drain machine: ${draining(budgetRefuses)}`,
          'False',
          'DrainError',
        ),
      }),
      [
        'phaseout',
        'drain',
        '12:02:00Z',
        'DrainingNode',
        `could not drain machine: ${draining(budgetRefuses)}`,
        'budget-owner',
        'the owner of PodDisruptionBudget shop/web',
        'held',
      ],
    ],
  ])('%s', (_sentence, machine, expected) => {
    expect(row(machine)).toEqual(expected);
  });
});

describe('a Machine of v1alpha1', () => {
  it('shows nothing while its own controller deletes it', () => {
    expect(row(ofV1alpha1())).toEqual([
      'controller',
      undefined,
      undefined,
      'Deleting',
      'its API shows no progress: see the log of its controller',
      'controller',
      controller,
      'progressing',
    ]);
  });

  it('has the checkpoint of phaseout', () => {
    expect(row(ofV1alpha1({ checkpoint: { phase: 'infrastructure' } }))).toEqual([
      'phaseout',
      'infrastructure',
      '12:02:00Z',
      'WaitingForInfrastructureDeletion',
      'Waiting for the instance to be deleted',
      'infrastructure',
      'the provider of servers',
      'progressing',
    ]);
  });
});

describe('the recordings of the real controller', () => {
  it.each([
    ['10-pre-drain-hook', 'pre-drain', 'hook-owner'],
    ['20-draining-pdb-blocked', 'drain', 'budget-owner'],
    ['23-draining-two-pdbs', 'drain', 'operator'],
    ['24-draining-mixed', 'drain', 'pods'],
    ['25-draining-terminating', 'drain', 'pods'],
    ['30-waiting-for-volume-detach', 'volume-detach', 'volumes'],
    ['40-pre-terminate-hook', 'pre-terminate', 'hook-owner'],
    ['50-waiting-for-infrastructure', 'infrastructure', 'infrastructure'],
    ['51-waiting-for-bootstrap', 'bootstrap', 'bootstrap'],
    ['60-deleting-node-error', 'node', 'controller'],
    ['80-paused', undefined, 'operator'],
  ])('%s: %s waits for %s', (name, phase, who) => {
    const standing = stand(recording(name).machine);
    expect([standing?.carriedBy, standing?.phase, standing?.acts.who]).toEqual(['controller', phase, who]);
  });
});

describe('when a step is given up', () => {
  const limits = { deletion: { nodeDrainTimeoutSeconds: 600, nodeDeletionTimeoutSeconds: 60 } };
  const drain = 'no Pod is evicted any more, and Pods that are still on the Node go with the server';

  it.each([
    [
      'counts from where our drain has begun',
      ofClusterApi({ checkpoint: { reached: '2026-11-27T12:01:59Z' }, spec: limits }),
      { afterSeconds: 600, at: '2026-11-27T12:12:00Z', afterwards: drain },
    ],
    [
      'has no time before it has begun',
      ofClusterApi({ checkpoint: {}, spec: limits }),
      { afterSeconds: 600, afterwards: drain },
    ],
    [
      "counts from the start of the controller's own drain",
      ofClusterApi({
        spec: limits,
        status: shows('DrainingNode', '', { deletion: { nodeDrainStartTime: '2026-11-27T12:05:00Z' } }),
      }),
      { afterSeconds: 600, at: '2026-11-27T12:15:00Z', afterwards: drain },
    ],
    [
      'counts for the Node from the deletion where the controller does it',
      ofClusterApi({ spec: limits, status: shows('DeletingNode') }),
      {
        afterSeconds: 60,
        at: '2026-11-27T12:01:00Z',
        afterwards: 'the Node object is left behind, and the Machine goes',
      },
    ],
    [
      'is never where no limit is set',
      ofClusterApi({ checkpoint: { reached: '2026-11-27T12:01:59Z' } }),
      undefined,
    ],
  ])('%s', (_sentence, machine, expected) => {
    expect(stand(machine)?.givenUp).toEqual(expected);
  });
});

const named = (name: string, parts: Parameters<typeof ofClusterApi>[0]) =>
  ofClusterApi({ ...parts, metadata: { name } });

describe('a list of standings', () => {
  it('has what is held first, then what is late, and of those the oldest', () => {
    const machines = [
      named('young', { checkpoint: { since: '2026-11-27T12:09:00Z' } }),
      named('late', { checkpoint: { since: '2026-11-27T11:50:00Z' } }),
      named('held', { annotations: { 'cluster.x-k8s.io/paused': '' }, checkpoint: {} }),
      named('held-longer', {
        annotations: { 'cluster.x-k8s.io/paused': '' },
        checkpoint: { since: '2026-11-27T12:01:00Z' },
      }),
    ];
    const standings = worstFirst(machines.flatMap((machine) => stand(machine) ?? []));
    expect(standings.map(({ machine, state, rank }) => `${machine.name} ${state} ${rank}`)).toEqual([
      'held-longer held 0',
      'held held 0',
      'late late 1',
      'young progressing 2',
    ]);
  });

  it('leaves out what is not being deleted, and what no API is known of', () => {
    const { deletionTimestamp: _, ...metadata } = ofClusterApi().metadata;
    expect(stand({ ...ofClusterApi(), metadata })).toBeUndefined();
    expect(stand({ ...ofClusterApi(), apiVersion: 'example.com/v1' })).toBeUndefined();
  });

  it('shows a Machine that cannot be read as one, and keeps no other from being shown', () => {
    const broken = ofClusterApi({ spec: { clusterName: 7 } });
    expect(standingOrUnread(broken, { now })).toMatchObject({
      state: 'held',
      waitsFor: { reason: 'Unreadable' },
      acts: { name: 'an operator: the Machine cannot be read' },
    });
  });

  it('has when it is looked at next where the store says so', () => {
    const machine = ofClusterApi({ checkpoint: {} });
    expect(standingOf(machine, { now, due: now + 5_000 })).toMatchObject({
      looksAt: '2026-11-27T12:10:05Z',
      looksWithinSeconds: 20,
    });
    expect(stand(ofClusterApi({ status: shows('WaitingForPreDrainHook') }))).not.toHaveProperty(
      'looksWithinSeconds',
    );
  });

  it('takes the word of a checkpoint for nothing that was written for another Machine', () => {
    const foreign = checkpoint({ uid: 'another' });
    expect(row(ofClusterApi({ annotations: { 'phaseout.dev/checkpoint': foreign } })).slice(0, 2)).toEqual([
      'controller',
      undefined,
    ]);
  });
});
