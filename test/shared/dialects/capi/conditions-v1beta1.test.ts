import { describe, expect, test } from 'vitest';
import { conditionsV1Beta1 } from '../../../../shared/dialects/capi/conditions-v1beta1.ts';
import type { Observed } from '../../../../shared/dialects/gate.ts';
import type { StatusInput } from '../../../../shared/dialects/status-input.ts';
import type { Condition } from '../../../../shared/kubernetes/objects.ts';
import type { Checkpoint } from '../../../../shared/machine/checkpoint.ts';
import type { Phase } from '../../../../shared/machine/phase.ts';
import type { PhaseOutcome } from '../../../../shared/machine/reason.ts';
import type { Report } from '../../../../shared/machine/report.ts';
import { aCheckpoint, aMachine, aStatusInput, timeAfter } from '../../../builders/cluster-api.ts';

const passed = (as: Partial<Record<Phase, PhaseOutcome>>): Checkpoint['passed'] =>
  Object.fromEntries(Object.entries(as).map(([phase, how]) => [phase, { as: how, since: timeAfter(1) }]));

const inPhase = (phase: Phase, as: Partial<Record<Phase, PhaseOutcome>> = {}): Checkpoint =>
  aCheckpoint({ phase, passed: passed(as) });

const reported = (reason: Report['reason'], error?: string): Report => ({
  reason,
  message: `${reason}!`,
  ...(error === undefined ? {} : { error }),
});

/** One condition as `status reason severity: message`, or undefined. */
function told(type: string, input: Partial<StatusInput>, before: Condition[] = []): string | undefined {
  const found = conditionsV1Beta1(before, aStatusInput(input)).find((condition) => condition.type === type);
  if (found === undefined) return undefined;
  const { status, reason, severity, message } = found;
  const words = [status, reason, severity].filter((word) => word !== undefined).join(' ');
  return message === undefined ? words : `${words}: ${message}`;
}

const waitingExternalHook = 'False WaitingExternalHook Info';

describe('PreDrainDeleteHookSucceeded', () => {
  const late = reported('WaitingForPreDrainHook');
  test.each<[string, Checkpoint, Report | undefined, string | undefined]>([
    ['hooks hold', inPhase('pre-drain'), late, waitingExternalHook],
    ['nothing is known yet', inPhase('pre-drain'), undefined, undefined],
    ['the drain is reached', inPhase('drain'), undefined, 'True'],
    [
      'hooks were waited for',
      inPhase('pre-terminate', { 'pre-drain': 'done', drain: 'not-applicable' }),
      undefined,
      'True',
    ],
    ['the drain was excluded', inPhase('pre-terminate', { drain: 'excluded' }), undefined, 'True'],
    [
      'the Node may not be touched',
      inPhase('pre-terminate', { 'pre-drain': 'not-applicable', drain: 'not-applicable' }),
      undefined,
      undefined,
    ],
    [
      'the infrastructure was gone before the drain',
      inPhase('pre-terminate', { drain: 'not-applicable', 'volume-detach': 'not-applicable' }),
      undefined,
      'True',
    ],
    ['the Node is deleted after all', inPhase('node'), undefined, 'True'],
    [
      'the Node is deleted after all, and nothing of it was before',
      inPhase('node', { 'pre-drain': 'not-applicable', drain: 'not-applicable' }),
      undefined,
      'True',
    ],
    [
      'the Node was deleted after all',
      inPhase('finalize', { 'pre-drain': 'not-applicable', drain: 'not-applicable', node: 'done' }),
      undefined,
      'True',
    ],
    [
      'the Node was never to be touched',
      inPhase('finalize', { 'pre-drain': 'not-applicable', node: 'not-applicable' }),
      undefined,
      undefined,
    ],
    ['a hook came late', inPhase('infrastructure', { drain: 'done' }), late, waitingExternalHook],
  ])('when %s', (_when, checkpoint, report, said) => {
    expect(told('PreDrainDeleteHookSucceeded', { checkpoint, report })).toBe(said);
  });
});

describe('PreTerminateDeleteHookSucceeded', () => {
  const held = reported('WaitingForPreTerminateHook');
  test.each<[string, Checkpoint, Report | undefined, string | undefined]>([
    ['hooks hold', inPhase('pre-terminate'), held, waitingExternalHook],
    ['the drain goes on', inPhase('drain'), undefined, undefined],
    ['infrastructure is reached', inPhase('infrastructure'), undefined, 'True'],
    ['a hook came late', inPhase('bootstrap'), held, waitingExternalHook],
  ])('when %s', (_when, checkpoint, report, said) => {
    expect(told('PreTerminateDeleteHookSucceeded', { checkpoint, report })).toBe(said);
  });
});

const begun = 'False Draining Info: Draining the node before deletion';
const lastSaid: Condition = {
  type: 'DrainingSucceeded',
  status: 'False',
  reason: 'Draining',
  severity: 'Info',
  message: 'two Pods',
};

describe('DrainingSucceeded', () => {
  test.each<[string, Checkpoint, Report | undefined, Condition[], string | undefined]>([
    ['the drain is about to begin', inPhase('drain'), undefined, [], begun],
    ['it is only known that the Machine is deleted', inPhase('drain'), reported('Deleting'), [], begun],
    ['nothing new is known of it', inPhase('drain'), undefined, [lastSaid], 'False Draining Info: two Pods'],
    ['Pods are left', inPhase('drain'), reported('DrainingNode'), [], 'False Draining Info: DrainingNode!'],
    [
      'it failed',
      inPhase('drain'),
      reported('DrainingNode', 'failed to cordon Node n: x'),
      [],
      'False DrainingFailed Warning: failed to cordon Node n: x',
    ],
    ['a hook holds it back', inPhase('drain'), reported('WaitingForPreDrainHook'), [], undefined],
    ['it could not be looked at', inPhase('drain'), reported('InternalError', 'x'), [], undefined],
    ['it is over', inPhase('volume-detach', { drain: 'done' }), undefined, [lastSaid], 'True'],
    [
      'it took too long',
      inPhase('volume-detach', { drain: 'timed-out' }),
      undefined,
      [lastSaid],
      'False Draining Info: two Pods',
    ],
    ['it took too long unseen', inPhase('volume-detach', { drain: 'timed-out' }), undefined, [], begun],
    ['it was excluded', inPhase('pre-terminate', { drain: 'excluded' }), undefined, [], undefined],
    ['it did not apply', inPhase('pre-terminate', { drain: 'not-applicable' }), undefined, [], undefined],
    [
      'it was stepped back to',
      inPhase('drain', { drain: 'done', 'volume-detach': 'done' }),
      reported('DrainingNode'),
      [],
      'False Draining Info: DrainingNode!',
    ],
  ])('when %s', (_when, checkpoint, report, before, said) => {
    expect(told('DrainingSucceeded', { checkpoint, report }, before)).toBe(said);
  });

  test('stays as it failed first where an error has other numbers', () => {
    const failed = {
      ...lastSaid,
      reason: 'DrainingFailed',
      severity: 'Warning',
      message: 'no answer after 10 s',
    };
    const input = { checkpoint: inPhase('drain'), report: reported('DrainingNode', 'no answer after 9 s') };
    expect(told('DrainingSucceeded', input, [failed])).toBe(
      'False DrainingFailed Warning: no answer after 10 s',
    );
  });

  test('is not begun while nobody can tell whether it is to be done, and fails where it had begun', () => {
    const report = { ...reported('DrainingNode', 'no answer'), isUndecided: true };
    const input = { checkpoint: inPhase('drain'), report };
    expect(told('DrainingSucceeded', input)).toBeUndefined();
    expect(told('DrainingSucceeded', input, [lastSaid])).toBe('False DrainingFailed Warning: no answer');
  });

  test('is not begun on a Machine that excludes it', () => {
    const machine = aMachine({ annotations: { 'machine.cluster.x-k8s.io/exclude-node-draining': '' } });
    expect(told('DrainingSucceeded', { machine, checkpoint: inPhase('drain') })).toBeUndefined();
  });
});

const attached = 'False WaitingForVolumeDetach Info: Waiting for node volumes to be detached';

describe('VolumeDetachSucceeded', () => {
  const stillThere = reported('WaitingForVolumeDetach');
  test.each<[string, Checkpoint, Report | undefined, string | undefined]>([
    ['the drain goes on', inPhase('drain'), undefined, undefined],
    ['the drain was stepped back to', inPhase('drain', { 'volume-detach': 'done' }), undefined, undefined],
    ['volumes are attached', inPhase('volume-detach', { drain: 'done' }), stillThere, attached],
    [
      'volumes could not be read',
      inPhase('volume-detach'),
      reported('WaitingForVolumeDetach', 'x'),
      attached,
    ],
    ['a hook came late', inPhase('volume-detach'), reported('WaitingForPreDrainHook'), undefined],
    ['volumes are gone', inPhase('infrastructure', { 'volume-detach': 'done' }), undefined, 'True'],
    ['it took too long', inPhase('infrastructure', { 'volume-detach': 'timed-out' }), undefined, attached],
    ['it was excluded', inPhase('infrastructure', { 'volume-detach': 'excluded' }), undefined, undefined],
  ])('when %s', (_when, checkpoint, report, said) => {
    expect(told('VolumeDetachSucceeded', { checkpoint, report })).toBe(said);
  });

  test('keeps what was said of it before', () => {
    const before: Condition[] = [
      { type: 'VolumeDetachSucceeded', status: 'False', reason: 'Other', severity: 'Info' },
    ];
    const input = { checkpoint: inPhase('volume-detach'), report: stillThere };
    expect(told('VolumeDetachSucceeded', input, before)).toBe('False Other Info');
  });
});

describe('NodeHealthy', () => {
  const present: Observed = { kind: 'present', object: { metadata: { name: 'm' } } };
  const terminating: Observed = {
    kind: 'present',
    object: { metadata: { name: 'm', deletionTimestamp: timeAfter(1) } },
  };
  const before: Condition[] = [{ type: 'NodeHealthy', status: 'True' }];
  const failed: Condition[] = [
    { type: 'NodeHealthy', status: 'False', reason: 'DeletionFailed', severity: 'Warning' },
  ];
  test.each<[string, Partial<StatusInput>, Condition[], string]>([
    ['the infrastructure is there', { infrastructure: present }, before, 'True'],
    ['the infrastructure was not looked at', {}, before, 'True'],
    ['the infrastructure is unknown', { infrastructure: { kind: 'unknown', why: '' } }, before, 'True'],
    ['the infrastructure goes', { infrastructure: terminating }, before, 'False Deleting Info'],
    ['the infrastructure is gone', { infrastructure: { kind: 'absent' } }, before, 'False Deleting Info'],
    ['the infrastructure went earlier', { checkpoint: inPhase('bootstrap') }, before, 'False Deleting Info'],
    [
      'the Node cannot be deleted',
      { checkpoint: inPhase('node'), report: reported('DeletingNode', 'forbidden') },
      before,
      'False DeletionFailed Warning',
    ],
    [
      'the Node is being deleted',
      { checkpoint: inPhase('node'), report: reported('DeletingNode') },
      before,
      'False Deleting Info',
    ],
    [
      'the Node could be deleted after all',
      { checkpoint: inPhase('finalize', { node: 'done' }) },
      failed,
      'False Deleting Info',
    ],
    [
      'the Node is left behind after the first attempt',
      { checkpoint: inPhase('finalize', { node: 'timed-out' }) },
      before,
      'False DeletionFailed Warning',
    ],
    [
      'the Node is left behind',
      { checkpoint: inPhase('finalize', { node: 'timed-out' }) },
      failed,
      'False DeletionFailed Warning',
    ],
  ])('when %s', (_when, input, list, said) => {
    expect(told('NodeHealthy', input, list)).toBe(said);
  });
});

const aNodeThatSays = (...statuses: Condition['status'][]): StatusInput['node'] => ({
  kind: 'present',
  object: {
    metadata: { name: 'node-1' },
    status: {
      conditions: ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type, index) => ({
        type,
        status: statuses[index]!,
      })),
    },
  },
});

describe('NodeHealthy of a Node that is looked at', () => {
  const infrastructure: Observed = { kind: 'present', object: { metadata: { name: 'm' } } };
  const going: Observed = {
    kind: 'present',
    object: { metadata: { name: 'm', deletionTimestamp: timeAfter(1) } },
  };
  const well = aNodeThatSays('True', 'False', 'False', 'False');
  const notFound: Condition[] = [
    { type: 'NodeHealthy', status: 'False', reason: 'NodeNotFound', severity: 'Error' },
  ];
  test.each<[string, Partial<StatusInput>, Condition[], string | undefined]>([
    ['is well', { infrastructure, node: well }, notFound, 'True'],
    [
      'is silent in one respect',
      { infrastructure, node: aNodeThatSays('Unknown', 'False', 'False', 'False') },
      [],
      'True',
    ],
    [
      'is silent',
      { infrastructure, node: aNodeThatSays('Unknown', 'Unknown', 'Unknown', 'Unknown') },
      [],
      'Unknown NodeConditionsFailed: Node condition Ready is Unknown. Node condition MemoryPressure is Unknown. ' +
        'Node condition DiskPressure is Unknown. Node condition PIDPressure is Unknown',
    ],
    [
      'is not Ready and under pressure',
      { infrastructure, node: aNodeThatSays('False', 'True', 'False', 'Unknown') },
      [],
      'False NodeConditionsFailed Warning: Node condition Ready is False. Node condition MemoryPressure is True. ' +
        'Node condition PIDPressure is Unknown',
    ],
    ['is well, while its server was not looked at', { node: well }, notFound, 'False NodeNotFound Error'],
    [
      'says nothing at all',
      { infrastructure, node: { kind: 'present', object: { metadata: { name: 'node-1' } } } },
      [],
      'True',
    ],
    ['loses its server', { infrastructure: going, node: well }, [], 'False Deleting Info'],
    ['is gone with its server', { infrastructure: going, node: { kind: 'absent' } }, [], undefined],
    ['was gone before its server', { infrastructure: going }, notFound, 'False NodeNotFound Error'],
    [
      'never had a providerID',
      { infrastructure: going, machine: aMachine({ spec: { providerID: undefined } }) },
      [],
      'False WaitingForNodeRef Info',
    ],
    [
      'never came',
      { infrastructure: going, machine: aMachine({ status: { nodeRef: undefined } }) },
      [],
      undefined,
    ],
  ])('that %s', (_which, input, list, said) => {
    expect(told('NodeHealthy', input, list)).toBe(said);
  });
});

test('several phases can be told of at once, Ready first and the others by name', () => {
  const checkpoint = inPhase('infrastructure', {
    'pre-drain': 'done',
    drain: 'done',
    'volume-detach': 'done',
  });
  const before: Condition[] = [
    { type: 'InfrastructureReady', status: 'True', lastTransitionTime: timeAfter(-9) },
  ];
  const now = timeAfter(10);
  expect(conditionsV1Beta1(before, aStatusInput({ checkpoint }))).toEqual([
    { type: 'Ready', status: 'True', lastTransitionTime: now },
    { type: 'DrainingSucceeded', status: 'True', lastTransitionTime: now },
    { type: 'InfrastructureReady', status: 'True', lastTransitionTime: timeAfter(-9) },
    { type: 'PreDrainDeleteHookSucceeded', status: 'True', lastTransitionTime: now },
    { type: 'PreTerminateDeleteHookSucceeded', status: 'True', lastTransitionTime: now },
    { type: 'VolumeDetachSucceeded', status: 'True', lastTransitionTime: now },
  ]);
});
