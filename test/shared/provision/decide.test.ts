import { describe, expect, test } from 'vitest';
import type { ActuatorAnswer, Existence } from '../../../shared/actuator/port.ts';
import {
  type Attempt,
  completedFinalizers,
  completedOwners,
  decideLiving,
  failed,
} from '../../../shared/provision/decide.ts';
import { anOriginal, anOriginalCluster } from '../../builders/v1alpha1.ts';

const exists: Existence = { kind: 'exists' };
const absent: Existence = { kind: 'absent' };
const done: ActuatorAnswer = { kind: 'done', report: { providerID: 'x://1' } };
const retry = { kind: 'retry', afterSeconds: 40, message: 'busy' } as const;
const refusal = { kind: 'failed', reason: undefined, message: 'no' } as const;

describe('a living Machine', () => {
  test.each<[string, Existence, ActuatorAnswer | undefined, object]>([
    ['with a server is updated', exists, undefined, { kind: 'update' }],
    ['without one gets one', absent, undefined, { kind: 'create' }],
    ['is done with after the update', exists, done, done],
    [
      'is looked at again soon after the create: its server has more to tell by then',
      absent,
      done,
      { ...done, requeueAfterSeconds: 5 },
    ],
    [
      'is looked at again after the update where the provider says when',
      { kind: 'exists', retryAfterSeconds: 12 },
      done,
      { ...done, requeueAfterSeconds: 12 },
    ],
    [
      'is never looked at again at once',
      { kind: 'exists', retryAfterSeconds: 0 },
      done,
      { ...done, requeueAfterSeconds: 1 },
    ],
    [
      'of which is not known whether it has one gets none and is not updated',
      refusal,
      undefined,
      {
        kind: 'again',
        afterSeconds: 20,
        failures: 3,
        fact: { type: 'Warning', reason: 'ReconcileError', message: 'error reconciling Machine: no' },
      },
    ],
    [
      'that cannot be updated is tried again and told of',
      exists,
      { ...refusal, reason: 'UpdateError' },
      {
        kind: 'again',
        afterSeconds: 20,
        failures: 3,
        fact: {
          type: 'Warning',
          reason: 'FailedUpdate',
          message: "error updating Machine's instance: UpdateError: no",
        },
      },
    ],
    [
      'whose server cannot be made is tried again and told of',
      absent,
      { ...refusal, reason: 'InsufficientResources' },
      {
        kind: 'again',
        afterSeconds: 20,
        failures: 3,
        fact: {
          type: 'Warning',
          reason: 'FailedCreate',
          message: "error creating Machine's instance: InsufficientResources: no",
        },
      },
    ],
  ])('%s', (_what, existence, answer, expected) => {
    expect(decideLiving({ existence, answer }, 2)).toEqual(expected);
  });

  test.each<[string, Existence, ActuatorAnswer | undefined]>([
    ['exists', retry, undefined],
    ['create', absent, retry],
    ['update', exists, retry],
  ])('that the provider wants to be asked about again is no failure: %s', (_what, existence, answer) => {
    expect(decideLiving({ existence, answer }, 4)).toEqual({
      kind: 'again',
      afterSeconds: 40,
      failures: 0,
    });
  });

  test('is never tried again at once, whatever the provider says', () => {
    expect(decideLiving({ existence: { ...retry, afterSeconds: 0 }, answer: undefined }, 0)).toMatchObject({
      afterSeconds: 1,
    });
  });
});

describe('what failed', () => {
  test.each([
    [0, 5],
    [1, 10],
    [5, 160],
    [6, 300],
    [2_000, 300],
  ])('%s times before is tried again after %s seconds', (failures, afterSeconds) => {
    expect(failed('update', 'no', failures)).toMatchObject({ afterSeconds, failures: failures + 1 });
  });

  test.each<[number, number]>([
    [3, 5],
    [45, 45],
  ])('is not tried again before the %s seconds that the API asked for: %s', (least, afterSeconds) => {
    expect(failed('look', 'slow down', 0, least)).toMatchObject({ afterSeconds });
  });

  test.each<[Attempt, string]>([
    ['look', 'ReconcileError'],
    ['create', 'FailedCreate'],
    ['update', 'FailedUpdate'],
  ])('is told by its name: %s, %s', (attempt, reason) => {
    expect(failed(attempt, 'no', 0).fact).toMatchObject({ type: 'Warning', reason });
  });
});

describe('finalizers', () => {
  test.each<[string[], string[], string[] | undefined]>([
    [[], ['a', 'b'], ['a', 'b']],
    [['x'], ['a', 'b'], ['x', 'a', 'b']],
    [['b'], ['a', 'b'], ['b', 'a']],
    [['b', 'x', 'a'], ['a', 'b'], undefined],
  ])('%j that should have %j become %j', (finalizers, wanted, expected) => {
    expect(completedFinalizers(anOriginal({ metadata: { finalizers } }), wanted)).toEqual(expected);
  });
});

const owner = (kind: string, apiVersion = 'cluster.k8s.io/v1alpha1') => ({
  apiVersion,
  kind,
  name: 'o',
  uid: 'o-1',
});

describe('the owners', () => {
  const cluster = {
    apiVersion: 'cluster.k8s.io/v1alpha1',
    kind: 'Cluster',
    name: 'c',
    uid: 'cluster-uid',
    blockOwnerDeletion: true,
  };

  test.each<[string, object[] | undefined, object[] | undefined]>([
    ['none', undefined, [cluster]],
    ['a stranger', [owner('Fleet')], [owner('Fleet'), cluster]],
    ['a MachineSet', [owner('MachineSet')], undefined],
    ['a MachineDeployment beside a stranger', [owner('Fleet'), owner('MachineDeployment')], undefined],
    ['a Cluster, whichever', [owner('Cluster')], undefined],
    [
      'a MachineSet of another API',
      [owner('MachineSet', 'cluster.x-k8s.io/v1beta1')],
      [owner('MachineSet', 'cluster.x-k8s.io/v1beta1'), cluster],
    ],
  ])('with %s', (_what, ownerReferences, expected) => {
    const machine = anOriginal({ metadata: { ownerReferences } });
    expect(completedOwners(machine, anOriginalCluster())).toEqual(expected);
  });
});
