import { describe, expect, test } from 'vitest';
import { finalize } from '../../functions/finalize.ts';
import { preDrain } from '../../functions/pre-drain.ts';
import { preTerminate } from '../../functions/pre-terminate.ts';
import { clusterApi } from '../../shared/dialects/capi/index.ts';
import type { Dialect } from '../../shared/dialects/dialect.ts';
import { openShift } from '../../shared/dialects/openshift/index.ts';
import { originalApi } from '../../shared/dialects/v1alpha1/index.ts';
import type { Machine } from '../../shared/machine/machine.ts';
import { after, aMachine, aRawV1Beta1Machine, timeAfter } from '../builders/cluster-api.ts';
import { aRawMachine, excluded } from '../builders/openshift.ts';
import { aSubject } from '../builders/subject.ts';
import { anOriginal } from '../builders/v1alpha1.ts';

const now = after(10);
const nothing = { places: undefined, hooks: undefined };

test.each([
  [preDrain.name, preDrain.decide(aSubject({ phase: 'pre-drain' }), nothing, now), 'pre-drain', 'done'],
  // No phase has waited for one.
  [
    preTerminate.name,
    preTerminate.decide(aSubject({ phase: 'pre-terminate' }), { kind: 'alone' }, now),
    'pre-terminate',
    'not-applicable',
  ],
] as const)('once the guard lets it through, nothing holds %s', (phase, decision, name, passing) => {
  expect(phase).toBe(name);
  expect(decision).toEqual({ kind: 'advance', passing, message: `no ${name} hook is left` });
});

test('a pre-drain hook holds nothing where the Node is left alone, and is not said to be gone', () => {
  const nodeDeletion = { allowed: false, why: 'cluster is being deleted' } as const;
  expect(preDrain.decide(aSubject({ phase: 'pre-drain', nodeDeletion }), nothing, now)).toEqual({
    kind: 'advance',
    passing: 'not-applicable',
    message: 'cluster is being deleted',
  });
});

test('pre-drain hooks of OpenShift that hold nothing, since there is no drain, are not said to be gone', () => {
  const machine = openShift.read(aRawMachine({ preDrain: ['move', 'etcd'], annotations: excluded }));
  const subject = { ...aSubject({ phase: 'pre-drain' }), dialect: openShift, machine };
  expect(preDrain.decide(subject, nothing, now)).toEqual({
    kind: 'advance',
    passing: 'done',
    message: 'no pre-drain hook holds it; its pre-drain hooks are bypassed: etcd, move',
  });
});

const waited = [{ type: 'PreTerminateDeleteHookSucceeded', status: 'False', reason: 'WaitingExternalHook' }];

test.each<[when: string, machine: Machine, dialect: Dialect, passing: string]>([
  ['nobody has', aMachine(), clusterApi, 'not-applicable'],
  [
    'the status says since when',
    aMachine({ status: { deletion: { waitForPreTerminateHookStartTime: timeAfter(2) } } }),
    clusterApi,
    'done',
  ],
  [
    'a condition alone says so',
    clusterApi.read(aRawV1Beta1Machine({ status: { conditions: waited } })),
    clusterApi,
    'done',
  ],
  ['on OpenShift always', openShift.read(aRawMachine()), openShift, 'done'],
  ['in the original API, which has no such hooks', anOriginal(), originalApi, 'done'],
])('pre-terminate is passed by whether its hooks were waited for: %s', (_when, machine, dialect, passing) => {
  const subject = { ...aSubject({ phase: 'pre-terminate' }), machine, dialect };
  expect(preTerminate.decide(subject, { kind: 'alone' }, now)).toMatchObject({ passing });
});

test('finalize releases the Machine', () => {
  expect(finalize.decide(aSubject({ phase: 'finalize' }), undefined, now)).toEqual({
    kind: 'release',
    report: { reason: 'DeletionCompleted', message: 'Deletion completed' },
  });
});

describe('what cannot be looked at is an internal error, looked at again soon', () => {
  test.each([preDrain, preTerminate, finalize])('in %o', (phase) => {
    expect(phase.onUnavailable(aSubject({ phase: phase.name }), 'no answer', now)).toEqual({
      kind: 'wait',
      until: [],
      report: {
        reason: 'InternalError',
        message: 'Please check controller logs for errors',
        error: 'no answer',
      },
      requeueAfterSeconds: 5,
    });
  });
});
