import { describe, expect, test } from 'vitest';
import { conditionsFrom, find } from '../../../../shared/dialects/conditions.ts';
import { recordAt } from '../../../../shared/dialects/fields.ts';
import { openShift } from '../../../../shared/dialects/openshift/index.ts';
import type { Condition } from '../../../../shared/kubernetes/objects.ts';
import type { PhaseOutcome } from '../../../../shared/machine/reason.ts';
import type { Report } from '../../../../shared/machine/report.ts';
import {
  aRawMachine,
  aStatusInput,
  drained,
  type Overrides,
  timeAfter,
} from '../../../builders/openshift.ts';

type Parts = Parameters<typeof aStatusInput>[0];
const statusOf = (parts?: Parts) => openShift.status(aStatusInput(parts));
const conditionOf = (type: string, parts: Parts): Condition | undefined =>
  find(conditionsFrom(statusOf(parts)['conditions']), type);

const now = timeAfter(10);
const before = timeAfter(-50);
const drainable = { type: 'Drainable', status: 'True', lastTransitionTime: before } as const;
const terminable = { type: 'Terminable', status: 'True', lastTransitionTime: before } as const;
const settled = { phase: 'Deleting', lastUpdated: before, conditions: [drainable, terminable] };

describe('a Machine that has just been deleted', () => {
  test('is in phase Deleting, with what holds it', () => {
    expect(statusOf({ preDrain: ['a'] })).toEqual({
      phase: 'Deleting',
      lastUpdated: now,
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
      nodeRef: { kind: 'Node', name: 'node-1', uid: 'node-uid-1' },
      conditions: [
        {
          type: 'Drainable',
          status: 'False',
          reason: 'HookPresent',
          severity: 'Warning',
          message: 'Drain operation currently blocked by: [{Name:a Owner:a-owner}]',
          lastTransitionTime: now,
        },
        { type: 'Terminable', status: 'True', lastTransitionTime: now },
      ],
    });
  });

  test('loses what it said of an error', () => {
    const status = { phase: 'Failed', errorReason: 'CreateError', errorMessage: 'no quota' };
    expect(statusOf({ status })).toMatchObject({ phase: 'Deleting', errorReason: null, errorMessage: null });
  });

  test('is not said to have had an error where it had none', () => {
    expect(Object.keys(statusOf())).not.toContain('errorReason');
    expect(Object.keys(statusOf())).not.toContain('errorMessage');
  });

  test('keeps what others say', () => {
    const exists = { type: 'InstanceExists', status: 'True', lastTransitionTime: before };
    const providerStatus = { instanceState: 'running' };
    const status = { providerStatus, lastOperation: { state: 'ok' }, conditions: [exists] };
    expect(statusOf({ status })).toMatchObject({
      providerStatus,
      lastOperation: { state: 'ok' },
      conditions: [{ type: 'Drainable' }, exists, { type: 'Terminable' }],
    });
  });
});

test('a Machine that another API rules is not said to lack anything', () => {
  const parts = { status: { authoritativeAPI: 'ClusterAPI' }, metadata: { labels: {} } };
  expect(conditionOf('Paused', parts)).toMatchObject({ status: 'True' });
  expect(conditionOf('phaseout.dev/Valid', parts)).toBeUndefined();
});

describe('the conditions of hooks', () => {
  test.each<[what: string, type: string, machine: Overrides, expected: object]>([
    ['are True without hooks', 'Drainable', {}, { status: 'True' }],
    ['are True without hooks', 'Terminable', {}, { status: 'True' }],
    [
      'name each hook in the order of the spec',
      'Terminable',
      { preTerminate: ['z', 'a'] },
      {
        status: 'False',
        message: 'Terminate operation currently blocked by: [{Name:z Owner:z-owner} {Name:a Owner:a-owner}]',
      },
    ],
    [
      'tell of hooks that are bypassed too',
      'Drainable',
      { preDrain: ['a'], annotations: { 'machine.openshift.io/exclude-node-draining': '' } },
      { status: 'False', reason: 'HookPresent' },
    ],
    ['tell of each list apart', 'Drainable', { preTerminate: ['a'] }, { status: 'True' }],
  ])('%s: %s', (_what, type, machine, expected) => {
    expect(conditionOf(type, machine)).toMatchObject({ type, ...expected });
  });

  test('keep their times while they say the same, and move them with the message', () => {
    const status = { ...settled, conditions: [drainable, terminable] };
    expect(conditionOf('Drainable', { status })).toEqual(drainable);
    expect(conditionOf('Drainable', { status, preDrain: ['a'] })).toMatchObject({ lastTransitionTime: now });
  });

  test('lose their reason and message when they turn True', () => {
    const held = { ...drainable, status: 'False', reason: 'HookPresent', severity: 'Warning', message: 'm' };
    const status = { ...settled, conditions: [held, terminable] };
    expect(conditionOf('Drainable', { status })).toEqual({ ...drainable, lastTransitionTime: now });
  });
});

test('conditions are sorted by type, those of others among them', () => {
  const foreign = ['Zebra', 'Awake', 'InstanceExists'].map((type) => ({ type, status: 'True' }));
  const checkpoint = { phase: 'infrastructure' } as const;
  const { conditions } = statusOf({ checkpoint, status: { conditions: foreign } });
  expect(conditionsFrom(conditions).map(({ type }) => type)).toEqual([
    'Awake',
    'Drainable',
    'Drained',
    'InstanceExists',
    'Terminable',
    'Zebra',
  ]);
});

const failed = (why: string) => ({
  type: 'Drained',
  status: 'False',
  reason: 'DrainError',
  severity: 'Warning',
  message: `could not drain machine: ${why}`,
  lastTransitionTime: now,
});

const draining = (report: Partial<Report> | undefined): Parts => ({
  report: report && { reason: 'DrainingNode', message: 'Drain not completed yet', ...report },
});

describe('Drained', () => {
  test.each<[when: string, report: Partial<Report> | undefined, expected: object | undefined]>([
    ['it has only begun', undefined, undefined],
    ['Pods take their time', {}, undefined],
    ['Pods are held up', { isHeldUp: true }, failed('Drain not completed yet')],
    ['it could not be gone on with', { error: 'no answer' }, failed('no answer')],
    [
      'another control plane Node is cordoned',
      { error: 'drain not permitted: requeue in: 20s', message: 'Node b waits for Node a' },
      failed('drain not permitted: requeue in: 20s'),
    ],
    ['a hook came late', { reason: 'WaitingForPreDrainHook' }, undefined],
    ['something else could not be asked', { reason: 'InternalError', error: 'no answer' }, undefined],
  ])('is said or not when %s', (_when, report, expected) => {
    expect(conditionOf('Drained', draining(report))).toEqual(expected);
  });

  test('stays False as it was while Pods take their time after a failure', () => {
    const known = { ...failed('no answer'), lastTransitionTime: before };
    expect(conditionOf('Drained', { ...draining({}), status: { conditions: [known] } })).toEqual(known);
  });

  test.each<[what: string, report: Partial<Report>, stays: boolean]>([
    ['an error stays as it was told with other numbers', { error: 'no answer after 9 s' }, true],
    [
      'what holds Pods up is told with other numbers',
      { isHeldUp: true, message: 'no answer after 9 s' },
      false,
    ],
  ])('%s', (_what, report, stays) => {
    const known = { ...failed('no answer after 10 s'), lastTransitionTime: before };
    const said = conditionOf('Drained', { ...draining(report), status: { conditions: [known] } });
    expect(said).toEqual(stays ? known : failed('no answer after 9 s'));
  });

  test.each<[passed: PhaseOutcome | undefined, message: string]>([
    ['done', 'Drain finished successfully'],
    [undefined, 'Drain finished successfully'],
    ['excluded', 'Node drain skipped'],
    ['not-applicable', 'Node drain skipped'],
  ])('is True after a drain that was passed as %s', (as, message) => {
    const passed = as === undefined ? {} : { drain: { as, since: timeAfter(1) } };
    expect(conditionOf('Drained', { checkpoint: { phase: 'pre-terminate', passed } })).toEqual({
      type: 'Drained',
      status: 'True',
      message,
      lastTransitionTime: now,
    });
  });

  test.each<[when: string, parts: Parts]>([
    ['the drain is entered again', draining({ error: 'no answer' })],
    [
      'it was skipped since',
      { checkpoint: { phase: 'node', passed: { drain: { as: 'excluded', since: before } } } },
    ],
  ])('is never taken back, nor its text: %s', (_when, parts) => {
    expect(conditionOf('Drained', { ...parts, status: { conditions: [drained] } })).toEqual(drained);
  });
});

describe('lastUpdated', () => {
  test.each<[what: string, parts: Parts, moved: boolean]>([
    ['nothing changes', { status: settled }, false],
    ['the phase changes', { status: { ...settled, phase: 'Running' } }, true],
    ['a hook comes', { status: settled, preTerminate: ['a'] }, true],
    ['an error goes', { status: { ...settled, errorMessage: 'no' } }, true],
    [
      'only the drain has something to say',
      { status: settled, report: { reason: 'DrainingNode', message: 'm', error: 'no' } },
      false,
    ],
  ])('moves with what the machine controller says: %s', (_what, parts, moved) => {
    expect(statusOf(parts)['lastUpdated']).toBe(moved ? now : before);
  });
});

describe('a Machine that is not valid', () => {
  const invalid = { metadata: { labels: {} } };
  const message = 'spec.labels: Invalid value: {}: missing machine.openshift.io/cluster-api-cluster label.';
  const condition = {
    type: 'phaseout.dev/Valid',
    status: 'False',
    reason: 'FailedValidate',
    severity: 'Error',
    message,
    lastTransitionTime: now,
  };

  test('says so in a condition of our own, and nothing else changes', () => {
    const status = { conditions: [terminable], errorReason: 'CreateError' };
    expect(statusOf({ ...invalid, status })).toEqual({
      ...recordAt(aRawMachine({ status }), 'status'),
      conditions: [terminable, condition],
    });
  });

  test('says it no more once it is valid', () => {
    const status = { ...settled, conditions: [drainable, terminable, condition] };
    expect(statusOf({ status })).toMatchObject({ conditions: [drainable, terminable], lastUpdated: now });
  });
});

const ruledBy = (authority: string): Overrides => ({ status: { authoritativeAPI: authority } });

describe('a Machine with an authority', () => {
  test('that is this API is not paused, and goes on', () => {
    const status = statusOf(ruledBy('MachineAPI'));
    expect(status['phase']).toBe('Deleting');
    expect(find(conditionsFrom(status['conditions']), 'Paused')).toEqual({
      type: 'Paused',
      status: 'False',
      reason: 'AuthoritativeAPIMachineAPI',
      severity: 'Info',
      message: "The AuthoritativeAPI status is set to 'MachineAPI'",
      lastTransitionTime: now,
    });
  });

  test.each(['ClusterAPI', 'Migrating'])('that is %s is paused, and stays in its phase', (authority) => {
    expect(statusOf({ ...ruledBy(authority), preDrain: ['a'] })).toMatchObject({
      phase: 'Running',
      lastUpdated: now,
      conditions: [
        { type: 'Drainable', status: 'False' },
        {
          type: 'Paused',
          status: 'True',
          reason: 'AuthoritativeAPINotMachineAPI',
          message: `The AuthoritativeAPI status is set to '${authority}'`,
          lastTransitionTime: now,
        },
        { type: 'Terminable', status: 'True' },
      ],
    });
  });

  test('that takes it away after the drain leaves the word about the drain to the other API', () => {
    const checkpoint = { phase: 'infrastructure' } as const;
    const { conditions } = statusOf({ ...ruledBy('ClusterAPI'), checkpoint });
    expect(conditionsFrom(conditions).map(({ type }) => type)).toEqual(['Drainable', 'Paused', 'Terminable']);
  });

  test('that pauses it already is told nothing more, whatever its hooks are', () => {
    const paused = statusOf(ruledBy('ClusterAPI'));
    expect(statusOf({ status: paused, preDrain: ['a'], metadata: { labels: {} } })).toEqual(paused);
  });

  test('that the status has not taken over yet is copied there', () => {
    const spec = { authoritativeAPI: 'ClusterAPI' };
    expect(statusOf({ spec })).toMatchObject({
      authoritativeAPI: 'ClusterAPI',
      conditions: [{ type: 'Drainable' }, { type: 'Paused', status: 'True' }, { type: 'Terminable' }],
    });
  });

  test('and a flaw is not paused, but not touched either', () => {
    const status = statusOf({ ...ruledBy('MachineAPI'), metadata: { labels: {} } });
    expect(status['phase']).toBe('Running');
    expect(conditionsFrom(status['conditions']).map(({ type }) => type)).toEqual([
      'Drainable',
      'Paused',
      'Terminable',
      'phaseout.dev/Valid',
    ]);
  });

  test('is not spoken of where the API knows none', () => {
    expect(conditionOf('Paused', {})).toBeUndefined();
    expect(Object.keys(statusOf())).not.toContain('authoritativeAPI');
  });
});
