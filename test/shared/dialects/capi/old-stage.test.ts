import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import { peerStage, peerStartTimes } from '../../../../shared/dialects/capi/peer-stage.ts';
import type { Machine } from '../../../../shared/machine/machine.ts';
import { aRawV1Beta1Machine, timeAfter } from '../../../builders/cluster-api.ts';

// What Cluster API 1.0 to 1.8 shows of a deletion, in the order in which its controller sets these conditions.

type Shown = readonly [type: string, status: string, seconds: number, reason?: string, message?: string];

const conditions = (shown: readonly Shown[]) =>
  shown.map(([type, status, seconds, reason, message]) => ({
    type,
    status,
    lastTransitionTime: timeAfter(seconds),
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
  }));

function machine(shown: readonly Shown[], more: Parameters<typeof aRawV1Beta1Machine>[0] = {}): Machine {
  return clusterApi.read(
    aRawV1Beta1Machine({ ...more, status: { conditions: conditions(shown), ...more.status } }),
  );
}

const living: Shown[] = [
  ['Ready', 'True', -9_000],
  ['BootstrapReady', 'True', -9_000],
  ['InfrastructureReady', 'True', -9_000],
  ['NodeHealthy', 'True', -9_000],
];
const noHook: Shown = ['PreDrainDeleteHookSucceeded', 'True', 20];
const draining: Shown = ['DrainingSucceeded', 'False', 20, 'Draining', 'Draining the node before deletion'];
const drained: Shown = ['DrainingSucceeded', 'True', 40];
const detaching: Shown = [
  'VolumeDetachSucceeded',
  'False',
  40,
  'WaitingForVolumeDetach',
  'Waiting for node volumes to be detached',
];
const detached: Shown = ['VolumeDetachSucceeded', 'True', 60];
const hooksPassed: Shown = ['PreTerminateDeleteHookSucceeded', 'True', 80];
const uptoServer = [noHook, drained, detached, hooksPassed];
const infrastructureGone: Shown = ['InfrastructureReady', 'False', 100, 'Deleted'];
const bootstrapGone: Shown = ['BootstrapReady', 'False', 120, 'Deleted'];

const stageOf = (...shown: Shown[]) => {
  const { phase, since, message } = peerStage(machine(shown)) ?? {};
  return [phase, since, message];
};

describe('the stage of a deletion by a controller without the condition Deleting', () => {
  test.each<[string, Shown[], unknown[]]>([
    ['shows nothing while the Machine only lives', living, [undefined, undefined, undefined]],
    [
      'is pre-drain while a hook is waited for',
      [['PreDrainDeleteHookSucceeded', 'False', 5, 'WaitingExternalHook']],
      ['pre-drain', timeAfter(5), ''],
    ],
    ['is drain once no hook is left', [noHook], ['drain', timeAfter(20), '']],
    [
      'is drain, in the words of its controller',
      [noHook, draining],
      ['drain', timeAfter(20), 'Draining the node before deletion'],
    ],
    [
      'is drain where that fails, with the error',
      [noHook, ['DrainingSucceeded', 'False', 30, 'DrainingFailed', 'unable to cordon node n1']],
      ['drain', timeAfter(30), 'unable to cordon node n1'],
    ],
    ['is volume-detach once the Node is drained', [noHook, drained], ['volume-detach', timeAfter(40), '']],
    [
      'is volume-detach while volumes are attached',
      [noHook, drained, detaching],
      ['volume-detach', timeAfter(40), 'Waiting for node volumes to be detached'],
    ],
    [
      'is volume-detach after a drain that was given up, and stays False',
      [noHook, draining, detaching],
      ['volume-detach', timeAfter(40), 'Waiting for node volumes to be detached'],
    ],
    [
      'is pre-terminate once volumes are off',
      [noHook, drained, detached],
      ['pre-terminate', timeAfter(60), ''],
    ],
    [
      'is pre-terminate while a hook is waited for',
      [noHook, drained, detached, ['PreTerminateDeleteHookSucceeded', 'False', 60, 'WaitingExternalHook']],
      ['pre-terminate', timeAfter(60), ''],
    ],
    [
      'is pre-terminate after a wait for volumes that was given up, and stays False',
      [noHook, draining, detaching, ['PreTerminateDeleteHookSucceeded', 'False', 70, 'WaitingExternalHook']],
      ['pre-terminate', timeAfter(70), ''],
    ],
    [
      'is infrastructure, whatever its provider says of it',
      [...uptoServer, ['InfrastructureReady', 'False', 90, 'InstanceStopping', 'stopping']],
      ['infrastructure', timeAfter(80), ''],
    ],
    [
      'is infrastructure where nothing on the Node was allowed',
      [hooksPassed, ['InfrastructureReady', 'False', 90, 'Deleting']],
      ['infrastructure', timeAfter(80), ''],
    ],
    [
      'is bootstrap once the infrastructure is gone',
      [...uptoServer, infrastructureGone],
      ['bootstrap', timeAfter(100), ''],
    ],
    [
      'is node once both are gone',
      [...uptoServer, infrastructureGone, bootstrapGone, ['NodeHealthy', 'False', 80, 'Deleting']],
      ['node', timeAfter(120), ''],
    ],
    [
      'is node where that fails, which the log explains',
      [...uptoServer, infrastructureGone, bootstrapGone, ['NodeHealthy', 'False', 130, 'DeletionFailed']],
      ['node', timeAfter(120), 'Its own controller could not delete the Node: see the log of it'],
    ],
  ])('%s', (_what, shown, expected) => {
    expect(stageOf(...shown)).toEqual(expected);
  });

  test.each<[string, Shown[], unknown]>([
    [
      'a pre-drain hook that was set late is waited for again',
      [['PreDrainDeleteHookSucceeded', 'False', 50, 'WaitingExternalHook'], drained, detaching],
      'pre-drain',
    ],
    [
      'a late hook that is gone leaves the phase as it was',
      [['PreDrainDeleteHookSucceeded', 'True', 55], drained, detaching],
      'volume-detach',
    ],
    [
      'a hook that a deleted Cluster passes over is waited for no more',
      [['PreDrainDeleteHookSucceeded', 'False', 5, 'WaitingExternalHook'], hooksPassed],
      'infrastructure',
    ],
    [
      'a drain that fails again while volumes are waited for is a drain',
      [noHook, ['DrainingSucceeded', 'False', 50, 'DrainingFailed', 'unable to get node n1'], detaching],
      'drain',
    ],
    [
      'of two that changed in the same second the later one counts',
      [noHook, ['DrainingSucceeded', 'False', 40, 'Draining'], detaching],
      'volume-detach',
    ],
    [
      'the infrastructure of a living Machine that was deleted says nothing of a drain',
      [noHook, draining, ['InfrastructureReady', 'False', -60, 'Deleted']],
      'drain',
    ],
  ])('%s', (_what, shown, phase) => {
    expect(stageOf(...shown)[0]).toBe(phase);
  });

  test('needs no bootstrap object where the Machine refers to none', () => {
    const bootstrap = { dataSecretName: 'm-1' };
    const without = machine([...uptoServer, infrastructureGone], { spec: { bootstrap } });
    expect(peerStage(without)).toEqual({ phase: 'node', message: '', since: timeAfter(100) });
  });

  test('has no start where a condition has no time', () => {
    const status = { conditions: [{ type: 'DrainingSucceeded', status: 'False' }] };
    expect(peerStage(machine([], { status }))).toEqual({ phase: 'drain', message: '' });
  });
});

const deleting = (status: string, reason: string) => ({
  v1beta2: { conditions: [{ type: 'Deleting', status, reason, message: 'its word' }] },
});

describe('conditions of v1beta1 say nothing', () => {
  test.each([
    ['where Deleting says that the deletion has not begun', deleting('False', 'NotDeleting'), undefined],
    ['where Deleting has no phase', deleting('True', 'InternalError'), undefined],
    ['where Deleting has one', deleting('True', 'WaitingForBootstrapDeletion'), 'bootstrap'],
  ])('%s', (_where, status, phase) => {
    expect(peerStage(machine([noHook, draining], { status }))?.phase).toBe(phase);
  });

  test('where a former Machine of that name has left them', () => {
    const metadata = { creationTimestamp: timeAfter(-60) };
    expect(
      peerStage(machine([['DrainingSucceeded', 'False', -61, 'Draining']], { metadata })),
    ).toBeUndefined();
  });
});

describe('the starts of its phases', () => {
  test('are those of conditions that are not done, as its time limits count them', () => {
    expect(peerStartTimes(machine([noHook, draining, detaching]))).toEqual({
      drain: timeAfter(20),
      'volume-detach': timeAfter(40),
    });
  });

  test('are those of status.deletion where the condition Deleting is', () => {
    const status = {
      deletion: { nodeDrainStartTime: timeAfter(7) },
      v1beta2: { conditions: [{ type: 'Deleting', status: 'True', reason: 'DrainingNode' }] },
    };
    expect(peerStartTimes(machine([noHook, draining], { status }))).toEqual({ drain: timeAfter(7) });
  });
});
