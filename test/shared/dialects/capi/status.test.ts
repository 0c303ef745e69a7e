import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import { conditionsFrom, find } from '../../../../shared/dialects/conditions.ts';
import type { StatusInput } from '../../../../shared/dialects/status-input.ts';
import type { Report } from '../../../../shared/machine/report.ts';
import {
  aCheckpoint,
  after,
  aMachine,
  aRawV1Beta1Machine,
  aStatusInput,
  timeAfter,
} from '../../../builders/cluster-api.ts';

const deletionOf = (input: Partial<StatusInput>) => clusterApi.status(aStatusInput(input))['deletion'];
const preDrainHook = { reason: 'WaitingForPreDrainHook' as const, message: 'm' };
const preTerminateHook = { reason: 'WaitingForPreTerminateHook' as const, message: 'm' };

describe('start times', () => {
  test.each<[string, Partial<StatusInput>, unknown]>([
    [
      'a drain that is under way',
      { checkpoint: aCheckpoint({ reached: timeAfter(0) }) },
      { nodeDrainStartTime: timeAfter(1) },
    ],
    ['a drain whose first attempt comes now', {}, { nodeDrainStartTime: timeAfter(10) }],
    [
      'a drain that is over, and volumes that are waited for',
      {
        checkpoint: aCheckpoint({
          phase: 'volume-detach',
          since: '2026-01-01T12:00:30.789Z',
          passed: { drain: { as: 'timed-out', since: timeAfter(2) } },
        }),
      },
      { nodeDrainStartTime: timeAfter(2), waitForNodeVolumeDetachStartTime: timeAfter(30) },
    ],
    [
      'steps that were passed over',
      {
        checkpoint: aCheckpoint({
          phase: 'infrastructure',
          passed: {
            drain: { as: 'excluded', since: timeAfter(2) },
            'volume-detach': { as: 'not-applicable', since: timeAfter(2) },
          },
        }),
      },
      undefined,
    ],
    [
      'a drain that is excluded',
      { machine: aMachine({ annotations: { 'machine.cluster.x-k8s.io/exclude-node-draining': '' } }) },
      undefined,
    ],
    ['hooks that nobody waits for', { checkpoint: aCheckpoint({ phase: 'pre-drain' }) }, undefined],
    [
      'a pre-drain hook',
      { checkpoint: aCheckpoint({ phase: 'pre-drain' }), report: preDrainHook },
      { waitForPreDrainHookStartTime: timeAfter(1) },
    ],
    [
      'a pre-drain hook that came late, before the drain was tried',
      { report: preDrainHook },
      { waitForPreDrainHookStartTime: timeAfter(10) },
    ],
    [
      'a drain that an error kept from being tried',
      { report: { reason: 'InternalError', message: 'm' } },
      undefined,
    ],
    [
      'a wait for volumes that an error kept from being tried',
      {
        checkpoint: aCheckpoint({
          phase: 'volume-detach',
          passed: { drain: { as: 'done', since: timeAfter(2) } },
        }),
        report: { reason: 'InternalError', message: 'm' },
      },
      { nodeDrainStartTime: timeAfter(2) },
    ],
    [
      'a pre-terminate hook',
      { checkpoint: aCheckpoint({ phase: 'pre-terminate' }), report: preTerminateHook },
      { waitForPreTerminateHookStartTime: timeAfter(1) },
    ],
    [
      'a pre-terminate hook that came late',
      { checkpoint: aCheckpoint({ phase: 'bootstrap' }), report: preTerminateHook },
      { waitForPreTerminateHookStartTime: timeAfter(10) },
    ],
  ])('of %s', (_what, input, times) => {
    expect(deletionOf(input)).toEqual(times);
  });

  test('are written once and never cleared', () => {
    const times = {
      nodeDrainStartTime: timeAfter(-100),
      waitForNodeVolumeDetachStartTime: timeAfter(-90),
      waitForPreDrainHookStartTime: timeAfter(-80),
      waitForPreTerminateHookStartTime: timeAfter(-70),
      other: 'kept',
    };
    const machine = aMachine({ status: { deletion: times } });
    expect(deletionOf({ machine })).toEqual(times);
    expect(
      deletionOf({ machine, checkpoint: aCheckpoint({ phase: 'finalize' }), report: preDrainHook }),
    ).toEqual(times);
  });

  test.each<[string, Partial<StatusInput>, unknown]>([
    [
      'follows the checkpoint',
      { checkpoint: aCheckpoint({ since: timeAfter(9), reached: timeAfter(1) }) },
      { nodeDrainStartTime: timeAfter(9), waitForPreDrainHookStartTime: timeAfter(10) },
    ],
    [
      'follows the checkpoint that nobody could stamp anew yet',
      { checkpoint: aCheckpoint({ since: timeAfter(10_000) }) },
      { nodeDrainStartTime: timeAfter(10_000), waitForPreDrainHookStartTime: timeAfter(10) },
    ],
    [
      'becomes the present where its step was passed over',
      { checkpoint: aCheckpoint({ phase: 'infrastructure' }) },
      { nodeDrainStartTime: timeAfter(10), waitForPreDrainHookStartTime: timeAfter(10) },
    ],
    [
      'stays while it is not so far ahead that clocks could not differ by it',
      { now: after(9_970) },
      { nodeDrainStartTime: timeAfter(10_000), waitForPreDrainHookStartTime: timeAfter(10_000) },
    ],
  ])('in the future: such a time %s', (_what, input, times) => {
    const deletion = {
      nodeDrainStartTime: timeAfter(10_000),
      waitForPreDrainHookStartTime: timeAfter(10_000),
    };
    expect(deletionOf({ machine: aMachine({ status: { deletion } }), ...input })).toEqual(times);
  });

  test('are read from the Machine', () => {
    const deletion = {
      nodeDrainStartTime: timeAfter(3),
      waitForNodeVolumeDetachStartTime: '2026-01-01T14:00:04+02:00',
      waitForPreTerminateHookStartTime: 'soon',
    };
    expect(clusterApi.startTimes(aMachine({ status: { deletion } }))).toEqual({
      drain: timeAfter(3),
      'volume-detach': timeAfter(4),
    });
    expect(clusterApi.startTimes(aMachine())).toEqual({});
  });
});

describe('progress', () => {
  test.each<[string, Record<string, unknown>, Partial<StatusInput>, Record<string, unknown>]>([
    [
      'of a Machine that was running',
      { phase: 'Running', observedGeneration: 1, lastUpdated: timeAfter(-500) },
      {},
      { phase: 'Deleting', observedGeneration: 2, lastUpdated: timeAfter(10) },
    ],
    [
      'of a Machine that is known to be deleted',
      { phase: 'Deleting', observedGeneration: 2, lastUpdated: timeAfter(1) },
      {},
      { phase: 'Deleting', observedGeneration: 2, lastUpdated: timeAfter(1) },
    ],
    [
      'that failed: the generation is not observed yet',
      { phase: 'Running', observedGeneration: 1 },
      { report: { reason: 'InternalError', message: 'm', error: 'e' } },
      { phase: 'Deleting', observedGeneration: 1, lastUpdated: timeAfter(10) },
    ],
  ])('%s', (_what, before, input, expected) => {
    const machine = aMachine({ status: before });
    expect(clusterApi.status(aStatusInput({ machine, ...input }))).toMatchObject(expected);
  });
});

const deletingOf = (input: Partial<StatusInput>) => {
  const { conditions } = clusterApi.status(aStatusInput(input));
  return Array.isArray(conditions) ? conditions.at(-1) : undefined;
};

describe('the Deleting condition', () => {
  test('says that the deletion has started when there is nothing else to say', () => {
    expect(deletingOf({})).toMatchObject({ status: 'True', reason: 'Deleting', message: 'Deletion started' });
  });

  test('says what is reported', () => {
    expect(deletingOf({ report: preDrainHook })).toMatchObject({
      status: 'True',
      reason: 'WaitingForPreDrainHook',
      message: 'm',
    });
  });
});

test('what is not ours stays as it is', () => {
  const foreign = {
    type: 'Mine',
    status: 'Unknown',
    reason: 'R',
    message: 'm',
    observedGeneration: 1,
    extra: true,
  };
  const machine = aMachine({
    status: { addresses: ['a'], conditions: [foreign], deprecated: { v1beta1: { failureReason: 'f' } } },
  });
  const status = clusterApi.status(aStatusInput({ machine }));
  expect(status).toMatchObject({ addresses: ['a'], deprecated: { v1beta1: { failureReason: 'f' } } });
  expect(status['conditions']).toContainEqual(foreign);
});

test('what was not looked at is still said, for this generation too', () => {
  const old = ['BootstrapConfigReady', 'InfrastructureReady', 'NodeHealthy', 'NodeReady'].map((type) => ({
    type,
    status: 'True',
    reason: 'R',
    message: '',
    observedGeneration: 1,
    lastTransitionTime: timeAfter(-100),
  }));
  const machine = aMachine({ status: { conditions: old } });
  const still = old.map((each) => ({ ...each, observedGeneration: 2 }));
  expect(clusterApi.status(aStatusInput({ machine }))['conditions']).toEqual(expect.arrayContaining(still));
});

test('what was said without a reason and a message is still said so', () => {
  const machine = aMachine({ status: { conditions: [{ type: 'NodeHealthy', status: 'True' }] } });
  expect(clusterApi.status(aStatusInput({ machine }))['conditions']).toContainEqual(
    expect.objectContaining({ type: 'NodeHealthy', status: 'True', reason: '', message: '' }),
  );
});

test('a pause is told with all its causes', () => {
  const status = clusterApi.status(aStatusInput({ paused: ['by its Cluster', 'by itself'] }));
  expect(status['conditions']).toEqual([
    {
      type: 'Paused',
      status: 'True',
      reason: 'Paused',
      message: 'by its Cluster, by itself',
      observedGeneration: 2,
      lastTransitionTime: timeAfter(10),
    },
  ]);
});

const pauseSaidIn = (status: Record<string, unknown>): string[] =>
  conditionsFrom(status['conditions'])
    .filter(({ type }) => ['Paused', 'Deleting'].includes(type))
    .map(({ type, status: is, reason }) => `${type}=${is} ${reason}`);
const pauseAs = (status: string, reason: string) => ({ type: 'Paused', status, reason, message: '' });

describe('where nobody knows whether it is paused', () => {
  const unknown = { paused: undefined, report: { reason: 'InternalError', message: 'no answer' } } as const;
  test('a Machine that is said to be is left as it is', () => {
    const before = { conditions: [pauseAs('True', 'Paused')], phase: 'Running' };
    const machine = aMachine({ status: before });
    expect(clusterApi.status(aStatusInput({ machine, ...unknown }))).toEqual(machine.raw['status']);
  });

  test.each<[string, object[], string[]]>([
    [
      'one that is said not to be stays so',
      [pauseAs('False', 'NotPaused')],
      ['Deleting=True InternalError', 'Paused=False NotPaused'],
    ],
    ['of one of which nothing is said nothing is', [], ['Deleting=True InternalError']],
    [
      'what is said of something else does not count',
      [{ ...pauseAs('True', 'Paused'), type: 'Updating' }],
      ['Deleting=True InternalError'],
    ],
  ])('%s', (_what, conditions, expected) => {
    const machine = aMachine({ status: { conditions } });
    expect(pauseSaidIn(clusterApi.status(aStatusInput({ machine, ...unknown }))).toSorted()).toEqual(
      expected,
    );
  });
});

test.each<[string, string[] | undefined, object[]]>([
  ['is known', [], []],
  [
    'was said before, of an earlier generation',
    undefined,
    [{ type: 'Paused', status: 'False', reason: 'NotPaused' }],
  ],
])('that a Machine is not paused is said where it %s', (_where, paused, conditions) => {
  const machine = aMachine({ status: { conditions } });
  expect(clusterApi.status(aStatusInput({ machine, paused }))['conditions']).toContainEqual(
    expect.objectContaining({ type: 'Paused', status: 'False', reason: 'NotPaused', observedGeneration: 2 }),
  );
});

describe('a nodeRef that the Machine does not have yet', () => {
  const found = { nodeName: 'node-9' };

  test('is written for v1beta2', () => {
    const machine = { ...aMachine({ status: { nodeRef: undefined } }), ...found };
    expect(clusterApi.status(aStatusInput({ machine }))['nodeRef']).toEqual({ name: 'node-9' });
  });

  test('is written for v1beta1', () => {
    const raw = aRawV1Beta1Machine({ status: { nodeRef: undefined } });
    const machine = { ...clusterApi.read(raw), ...found };
    expect(clusterApi.status(aStatusInput({ machine }))['nodeRef']).toEqual({
      apiVersion: 'v1',
      kind: 'Node',
      name: 'node-9',
    });
  });

  test('is left alone once it is there', () => {
    const machine = { ...aMachine(), ...found };
    expect(clusterApi.status(aStatusInput({ machine }))['nodeRef']).toEqual({ name: 'node-1' });
  });
});

test('a deletion that drags on is told in Ready', () => {
  const input = aStatusInput({
    checkpoint: aCheckpoint({ reached: timeAfter(0) }),
    report: { reason: 'DrainingNode', message: '* Pod a/b: waiting for completion' },
    now: after(15 * 60 + 1),
  });
  expect(clusterApi.status(input)['conditions']).toContainEqual(
    expect.objectContaining({
      type: 'Ready',
      message: expect.stringContaining(
        'in progress since more than 15m, stage: DrainingNode, delay likely due to Pods not completed yet',
      ),
    }),
  );
});

test('that a deletion drags on is not taken back by a clock that is behind', () => {
  const report = { reason: 'WaitingForPreDrainHook' as const, message: 'm' };
  const late = clusterApi.status(aStatusInput({ report, now: after(15 * 60 + 1) }));
  const machine = { ...aMachine(), raw: { ...aMachine().raw, status: late } };
  expect(clusterApi.status(aStatusInput({ machine, report, now: after(10) }))['conditions']).toContainEqual(
    expect.objectContaining({
      type: 'Ready',
      message: expect.stringContaining('in progress since more than 15m, stage: WaitingForPreDrainHook'),
    }),
  );
});

describe('Deleting', () => {
  test.each<[what: string, error: string | undefined, said: string]>([
    ['stays as it was told where an error has other numbers', 'x', 'no answer after 10 s'],
    ['tells other numbers of what is waited for', undefined, 'no answer after 9 s'],
  ])('%s', (_what, error, said) => {
    const stands = {
      type: 'Deleting',
      status: 'True',
      reason: 'InternalError',
      message: 'no answer after 10 s',
    };
    const machine = aMachine({ status: { conditions: [stands] } });
    const report: Report = {
      reason: 'InternalError',
      message: 'no answer after 9 s',
      ...(error && { error }),
    };
    const { conditions } = clusterApi.status(aStatusInput({ machine, report }));
    expect(find(conditionsFrom(conditions), 'Deleting')).toMatchObject({ message: said });
  });
});

describe('that the finalizer could not be removed', () => {
  const no = 'the finalizer could not be removed: no';
  const completed = { reason: 'DeletionCompleted', message: 'Deletion completed' } as const;
  const hook = { reason: 'WaitingForPreTerminateHook', message: 'm' } as const;

  test.each<[string, string, StatusInput['report'], string[]]>([
    ['is not said where nothing is reported', no, undefined, ['Deleting', 'Deletion started']],
    ['stays said until it is off', no, completed, ['InternalError', no]],
    ['is not said of what came since', no, hook, [hook.reason, 'm']],
    [
      'is another thing than any other error',
      'no answer',
      completed,
      ['DeletionCompleted', completed.message],
    ],
  ])('%s', (_what, message, report, said) => {
    const before = { type: 'Deleting', status: 'True', reason: 'InternalError', message };
    const machine = aMachine({ status: { conditions: [before] } });
    const { conditions } = clusterApi.status(aStatusInput({ machine, report }));
    const deleting = conditionsFrom(conditions).find(({ type }) => type === 'Deleting');
    expect([deleting?.reason, deleting?.message]).toEqual(said);
  });
});

test('an Event tells what of the Machine may not be written', () => {
  expect(clusterApi.events(aMachine(), { what: 'unwritten', why: 'no' })).toEqual([
    { type: 'Warning', reason: 'FailedDelete', message: 'error deleting Machine: no' },
  ]);
});
