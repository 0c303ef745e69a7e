import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import {
  bootstrapConfig,
  infrastructure,
  v1Beta1Saying,
  v1Beta2Saying,
} from '../../../../shared/dialects/capi/owned-objects.ts';
import type { Observed } from '../../../../shared/dialects/gate.ts';
import type { Phase } from '../../../../shared/machine/phase.ts';
import {
  aCheckpoint,
  aMachine,
  aRawV1Beta1Machine,
  aStatusInput,
  timeAfter,
} from '../../../builders/cluster-api.ts';

const object = (status: Record<string, unknown>, isTerminating = false): Observed => ({
  kind: 'present',
  object: {
    kind: 'Server',
    metadata: { name: 'm-1', ...(isTerminating ? { deletionTimestamp: timeAfter(1) } : {}) },
    status,
  },
});
const absent: Observed = { kind: 'absent' };
const unseen: Observed = { kind: 'unseen' };
const unknown: Observed = { kind: 'unknown', why: 'x' };

const neverDone = aMachine({ status: { initialization: {} } });
const v1Beta1Machine = clusterApi.read(
  aRawV1Beta1Machine({
    status: { initialization: undefined, bootstrapReady: true, infrastructureReady: true },
  }),
);

const ready = (fields: Record<string, unknown>) => [{ type: 'Ready', ...fields }];
const time = '2026-01-01T00:00:00Z';

describe('InfrastructureReady', () => {
  test.each<[string, Observed, ReturnType<typeof aMachine> | undefined, unknown]>([
    ['gone', absent, undefined, ['False', 'ObjectDeleted', 'Server has been deleted']],
    [
      'gone, of a v1beta1 Machine',
      absent,
      v1Beta1Machine,
      ['False', 'ObjectDeleted', 'Server has been deleted'],
    ],
    ['never there', absent, neverDone, ['False', 'ObjectDoesNotExist', 'Server does not exist']],
    [
      'unreadable',
      unknown,
      undefined,
      ['Unknown', 'InternalError', 'Please check controller logs for errors'],
    ],
    ['there without conditions', object({}), undefined, ['True', 'Ready', undefined]],
    [
      'there and never provisioned',
      object({}),
      neverDone,
      ['False', 'NotReady', 'Server status.initialization.provisioned is false'],
    ],
    [
      'there with conditions',
      object({ conditions: ready({ status: 'False', reason: 'Stopping', message: 'm' }) }),
      undefined,
      ['False', 'Stopping', 'm'],
    ],
    [
      'there with conditions of both kinds',
      object({
        conditions: ready({ status: 'True' }),
        v1beta2: { conditions: ready({ status: 'False', reason: 'B2', message: '' }) },
      }),
      undefined,
      ['False', 'B2', ''],
    ],
    [
      'there with a True v1beta1 condition',
      object({ conditions: ready({ status: 'True' }) }),
      undefined,
      ['True', 'Ready', ''],
    ],
    [
      'there with a reason that the API server would refuse',
      object({ conditions: ready({ status: 'False', reason: 'Stopping @ Server/m-1' }) }),
      undefined,
      ['False', 'Stopping', ''],
    ],
    [
      'there with a status that is none',
      object({ conditions: ready({ status: 'Maybe', reason: 'R' }) }),
      undefined,
      [
        'Unknown',
        'InvalidConditionReported',
        'status for the Ready condition must be one of True, False, Unknown',
      ],
    ],
    [
      'there with a False condition that gives no reason',
      object({ conditions: ready({ status: 'False' }) }),
      undefined,
      ['False', 'NoReasonReported', ''],
    ],
  ])('of an object that is %s', (_what, sighting, machine = aMachine(), said) => {
    const saying = v1Beta2Saying(infrastructure, aStatusInput({ machine, infrastructure: sighting }));
    expect([saying?.status, saying?.reason, saying?.message]).toEqual(said);
  });

  test('keeps the time of the condition it is copied from', () => {
    const conditions = ready({ status: 'True', reason: 'R', lastTransitionTime: time });
    const saying = v1Beta2Saying(infrastructure, aStatusInput({ infrastructure: object({ conditions }) }));
    expect(saying?.lastTransitionTime).toBe(time);
  });

  test('is nothing where the Machine refers to none', () => {
    const { infrastructure: _, ...machine } = aMachine();
    expect(v1Beta2Saying(infrastructure, aStatusInput({ machine }))).toBeUndefined();
  });

  test('of an object that has come again after its phase is its own', () => {
    const conditions = ready({ status: 'True', reason: 'R' });
    const checkpoint = aCheckpoint({ phase: 'node' });
    const input = aStatusInput({ checkpoint, infrastructure: object({ conditions }) });
    expect(v1Beta2Saying(infrastructure, input)).toMatchObject({ status: 'True', reason: 'R' });
  });

  test.each([
    ['R', 'R'],
    ['@Stopping', 'NoReasonReported'],
  ])('takes the reason %s for %s', (reason, shown) => {
    const conditions = ready({ status: 'False', reason });
    const saying = v1Beta2Saying(infrastructure, aStatusInput({ infrastructure: object({ conditions }) }));
    expect(saying?.reason).toBe(shown);
  });

  test.each<[Phase, string | undefined]>([
    ['drain', undefined],
    ['infrastructure', undefined],
    ['bootstrap', 'ObjectDeleted'],
    ['finalize', 'ObjectDeleted'],
  ])('of an object that was not looked at in phase %s', (phase, reason) => {
    const input = aStatusInput({ checkpoint: aCheckpoint({ phase }), infrastructure: unseen });
    expect(v1Beta2Saying(infrastructure, input)?.reason).toBe(reason);
  });
});

describe('BootstrapConfigReady', () => {
  test.each<[string, Observed, ReturnType<typeof aMachine>, unknown]>([
    [
      'not referred to',
      unseen,
      aMachine({ spec: { bootstrap: { dataSecretName: 's' } } }),
      ['True', 'DataSecretProvided', undefined],
    ],
    ['gone', absent, aMachine(), ['False', 'ObjectDeleted', 'Config has been deleted']],
    ['never there', absent, neverDone, ['False', 'ObjectDoesNotExist', 'Config does not exist']],
    [
      'unreadable',
      unknown,
      aMachine(),
      ['Unknown', 'InternalError', 'Please check controller logs for errors'],
    ],
    [
      'there and never done',
      object({}),
      neverDone,
      ['False', 'NotReady', 'Config status.initialization.dataSecretCreated is false'],
    ],
  ])('of an object that is %s', (_what, bootstrap, machine, said) => {
    const saying = v1Beta2Saying(bootstrapConfig, aStatusInput({ machine, bootstrap }));
    expect([saying?.status, saying?.reason, saying?.message]).toEqual(said);
  });
});

test.each([
  [{ infrastructureProvisioned: true }, 'ObjectDeleted', 'ObjectDoesNotExist'],
  [{ bootstrapDataSecretCreated: true }, 'ObjectDoesNotExist', 'ObjectDeleted'],
])('each object is judged by its own part of %j', (initialization, server, config) => {
  const machine = aMachine({ status: { initialization } });
  const input = aStatusInput({ machine, infrastructure: absent, bootstrap: absent });
  expect(v1Beta2Saying(infrastructure, input)?.reason).toBe(server);
  expect(v1Beta2Saying(bootstrapConfig, input)?.reason).toBe(config);
});

const aConfigRef = { apiGroup: 'boot.example', kind: 'Config', name: 'm-1' };

describe('the v1beta1 condition', () => {
  test.each<[string, Phase, Observed, unknown]>([
    ['of an object that is gone before its phase', 'drain', absent, undefined],
    [
      'of an object that is gone in its phase',
      'infrastructure',
      absent,
      { status: 'False', reason: 'Deleted', severity: 'Info' },
    ],
    [
      'of an object that went earlier',
      'bootstrap',
      unseen,
      { status: 'False', reason: 'Deleted', severity: 'Info' },
    ],
    ['of an object not looked at', 'infrastructure', unseen, undefined],
    ['of an object that is unreadable', 'infrastructure', unknown, undefined],
    [
      'of an object that is terminating but done',
      'infrastructure',
      object({ ready: true }, true),
      { status: 'True' },
    ],
    [
      'of an object that was done, as newer providers say it',
      'infrastructure',
      object({ initialization: { provisioned: true } }),
      { status: 'True' },
    ],
    [
      'of an object that says it is not done',
      'infrastructure',
      object({ initialization: { provisioned: false }, ready: false }),
      { status: 'False', reason: 'Deleting', severity: 'Info' },
    ],
    [
      'of an object that is terminating and was never done',
      'infrastructure',
      object({}, true),
      { status: 'False', reason: 'Deleting', severity: 'Info' },
    ],
    [
      'of an object that is not done yet',
      'drain',
      object({}),
      { status: 'False', reason: 'Deleting', severity: 'Info' },
    ],
    [
      'of an object that has it',
      'drain',
      object({ conditions: ready({ status: 'False', reason: 'A', severity: 'Error', message: 'm' }) }),
      { status: 'False', reason: 'A', severity: 'Error', message: 'm' },
    ],
    [
      'of an object that has it apart',
      'drain',
      object({
        conditions: ready({ status: 'True', reason: 'B2' }),
        deprecated: { v1beta1: { conditions: ready({ status: 'False', reason: 'B1', severity: 'Info' }) } },
      }),
      { status: 'False', reason: 'B1', severity: 'Info' },
    ],
  ])('%s', (_what, phase, sighting, said) => {
    const input = aStatusInput({ checkpoint: aCheckpoint({ phase }), infrastructure: sighting });
    expect(v1Beta1Saying(infrastructure, input)).toEqual(
      said === undefined ? undefined : { type: 'InfrastructureReady', ...said },
    );
  });

  test('of a bootstrap config is True once the Machine has its data', () => {
    const machine = aMachine({ spec: { bootstrap: { configRef: aConfigRef, dataSecretName: 's' } } });
    const bootstrap = object({ conditions: ready({ status: 'False', reason: 'A', severity: 'Info' }) });
    const input = aStatusInput({ machine, bootstrap });
    expect(v1Beta1Saying(bootstrapConfig, input)).toEqual({ type: 'BootstrapReady', status: 'True' });
  });

  const failing = object({ conditions: ready({ status: 'False', reason: 'A', severity: 'Info' }) });
  const said = { status: 'False', reason: 'A', severity: 'Info' };

  test('of a bootstrap config is its own until then', () => {
    expect(v1Beta1Saying(bootstrapConfig, aStatusInput({ bootstrap: failing }))).toEqual({
      type: 'BootstrapReady',
      ...said,
    });
  });

  test('of the infrastructure is its own, whatever data the Machine has', () => {
    const machine = aMachine({ spec: { bootstrap: { configRef: aConfigRef, dataSecretName: 's' } } });
    const input = aStatusInput({ machine, infrastructure: failing });
    expect(v1Beta1Saying(infrastructure, input)).toEqual({ type: 'InfrastructureReady', ...said });
  });

  test('of a bootstrap config that is not referred to is none', () => {
    const machine = aMachine({ spec: { bootstrap: {} } });
    const checkpoint = aCheckpoint({ phase: 'finalize' });
    expect(v1Beta1Saying(bootstrapConfig, aStatusInput({ machine, checkpoint }))).toBeUndefined();
  });
});
