import { describe, expect, test } from 'vitest';
import { readyV1Beta1Saying } from '../../../../shared/dialects/capi/conditions-v1beta1.ts';
import { wantedReady } from '../../../../shared/dialects/capi/ready.ts';
import type { Condition } from '../../../../shared/kubernetes/objects.ts';
import { aMachine } from '../../../builders/cluster-api.ts';

type Status = Condition['status'];
const condition = (type: string, status: Status, message = '', reason = 'R'): Condition => ({
  type,
  status,
  reason,
  message,
});

const good = [
  condition('BootstrapConfigReady', 'True'),
  condition('InfrastructureReady', 'True'),
  condition('NodeHealthy', 'True'),
];

const withGood = (...others: Condition[]): Condition[] => [
  ...good.filter(({ type }) => !others.some((other) => other.type === type)),
  ...others,
];

const gates = (...conditionTypes: string[]) =>
  aMachine({ spec: { readinessGates: conditionTypes.map((conditionType) => ({ conditionType })) } });

describe('Ready while deleting', () => {
  test.each<[string, Condition[], string[]]>([
    ['nothing else', good, []],
    [
      'objects that are gone, as they should be',
      [
        condition('BootstrapConfigReady', 'False', 'gone', 'ObjectDoesNotExist'),
        condition('InfrastructureReady', 'False', 'gone', 'ObjectDeleted'),
        condition('NodeHealthy', 'False', 'gone', 'NodeDeleted'),
      ],
      [],
    ],
    ['a Node that never was', withGood(condition('NodeHealthy', 'Unknown', 'x', 'NodeDoesNotExist')), []],
    [
      'a Node of which nothing was heard',
      withGood(condition('NodeHealthy', 'Unknown', '* Node.Ready: silent')),
      ['* NodeHealthy:\n  * Node.Ready: silent'],
    ],
    [
      'issues and unknowns in the order of the conditions',
      withGood(
        condition('HealthCheckSucceeded', 'False', 'unhealthy'),
        condition('BootstrapConfigReady', 'Unknown', 'unclear'),
        condition('InfrastructureReady', 'False', 'broken'),
      ),
      [
        '* BootstrapConfigReady: unclear',
        '* InfrastructureReady: broken',
        '* HealthCheckSucceeded: unhealthy',
      ],
    ],
    [
      'an issue that says nothing but its reason',
      withGood(condition('InfrastructureReady', 'False', '', 'Stopped')),
      ['* InfrastructureReady: Stopped'],
    ],
    [
      'an issue that says nothing at all',
      withGood({ type: 'InfrastructureReady', status: 'False' }),
      ['* InfrastructureReady: '],
    ],
    [
      'several lines as a list',
      withGood(condition('InfrastructureReady', 'False', 'a\nb')),
      ['* InfrastructureReady:\n  * a\n  * b'],
    ],
    [
      'a list as it is',
      withGood(condition('InfrastructureReady', 'False', '* a\n  * b')),
      ['* InfrastructureReady:\n  * a\n    * b'],
    ],
    [
      'a list below the line that it belongs to',
      withGood(condition('InfrastructureReady', 'False', 'a\n* b')),
      ['* InfrastructureReady:\n  * a\n    * b'],
    ],
    [
      'a star with nothing behind it as any other character',
      withGood(condition('InfrastructureReady', 'False', 'no *.com, no *')),
      ['* InfrastructureReady: no *.com, no *'],
    ],
    ['an update', withGood(condition('Updating', 'True', 'in place')), ['* Updating: in place']],
    ['no update', withGood(condition('Updating', 'False', 'x')), []],
    [
      'what is gone without a reason',
      withGood({ type: 'NodeHealthy', status: 'False', message: 'gone' }),
      ['* NodeHealthy: gone'],
    ],
    [
      'conditions nobody wrote',
      [],
      [
        '* BootstrapConfigReady: Condition not yet reported',
        '* InfrastructureReady: Condition not yet reported',
        '* NodeHealthy: Condition not yet reported',
      ],
    ],
  ])('shows %s', (_what, list, lines) => {
    const { status, reason, message } = wantedReady(aMachine(), list, 'in progress');
    expect({ status, reason }).toEqual({ status: 'False', reason: 'NotReady' });
    expect(message).toBe(['* Deleting: in progress', ...lines].join('\n'));
  });

  test('shows readiness gates of either polarity', () => {
    const machine = aMachine({
      spec: { readinessGates: [{ conditionType: 'A' }, { conditionType: 'B', polarity: 'Negative' }, {}] },
    });
    const list = withGood(condition('A', 'True', 'fine'), condition('B', 'True', 'bad'));
    expect(wantedReady(machine, list, 's').message).toBe('* Deleting: s\n* B: bad');
  });

  test('says once what all control plane components say', () => {
    const machine = gates('APIServerPodHealthy', 'Other', 'SchedulerPodHealthy', 'EtcdPodHealthy');
    const same = ['APIServerPodHealthy', 'SchedulerPodHealthy', 'EtcdPodHealthy'].map((type) =>
      condition(type, 'Unknown', 'silent'),
    );
    const list = withGood(...same, condition('Other', 'Unknown', 'x'));
    expect(wantedReady(machine, list, 's').message).toBe(
      '* Deleting: s\n* Control plane components: silent\n* Other: x',
    );
  });

  test('shows a gate that should be False after what comes before the gates', () => {
    const machine = aMachine({ spec: { readinessGates: [{ conditionType: 'B', polarity: 'Negative' }] } });
    const list = withGood(condition('NodeHealthy', 'Unknown', 'u'), condition('B', 'True', 'bad'));
    expect(wantedReady(machine, list, 's').message).toBe('* Deleting: s\n* NodeHealthy: u\n* B: bad');
  });

  test('shows a readiness gate that nobody has reported', () => {
    expect(wantedReady(gates('A'), good, 's').message).toBe('* Deleting: s\n* A: Condition not yet reported');
  });

  test('takes nothing for a control plane component that only tells of one', () => {
    const text = 'see * EtcdPodHealthy: it';
    const list = withGood(condition('Other', 'False', text), condition('APIServerA', 'False', text));
    expect(wantedReady(gates('Other', 'APIServerA'), list, 's').message).toBe(
      `* Deleting: s\n* Other:\n  ${text}\n* APIServerA:\n  ${text}`,
    );
  });

  test('says once what two of them say', () => {
    const list = withGood(condition('APIServerA', 'False', 'a'), condition('SchedulerB', 'False', 'a'));
    expect(wantedReady(gates('APIServerA', 'SchedulerB'), list, 's').message).toBe(
      '* Deleting: s\n* Control plane components: a',
    );
  });

  test('names control plane components that differ, and a single one', () => {
    const list = withGood(condition('APIServerA', 'False', 'a'), condition('SchedulerB', 'False', 'b'));
    expect(wantedReady(gates('APIServerA', 'SchedulerB'), list, 's').message).toBe(
      '* Deleting: s\n* APIServerA: a\n* SchedulerB: b',
    );
    expect(wantedReady(gates('APIServerA'), list, 's').message).toBe('* Deleting: s\n* APIServerA: a');
  });
});

const bad = (type: string, severity: string): Condition => ({
  type,
  status: 'False',
  severity,
  reason: `${type}Bad`,
  message: `${type} is bad`,
});
const isTrue = (type: string): Condition => ({ type, status: 'True' });
const isUnknown = (type: string): Condition => ({ type, status: 'Unknown', reason: 'U' });

const readyBecauseOf = (type: string, severity: string) => ({
  type: 'Ready',
  status: 'False',
  severity,
  reason: `${type}Bad`,
  message: `${type} is bad`,
});

describe('Ready of v1beta1', () => {
  test.each([
    ['is not there without its parts', [bad('NodeHealthy', 'Error')], undefined],
    ['is True when its parts are', [isTrue('BootstrapReady'), isTrue('DrainingSucceeded')], isTrue('Ready')],
    ['hides an unknown part', [isUnknown('BootstrapReady'), isTrue('DrainingSucceeded')], isTrue('Ready')],
    [
      'shows the first of equally bad parts',
      [bad('DrainingSucceeded', 'Info'), bad('BootstrapReady', 'Info'), bad('InfrastructureReady', 'Info')],
      readyBecauseOf('InfrastructureReady', 'Info'),
    ],
    [
      'shows the worst part',
      [bad('InfrastructureReady', 'Info'), bad('DrainingSucceeded', 'Warning')],
      readyBecauseOf('DrainingSucceeded', 'Warning'),
    ],
    [
      'shows an error before a warning',
      [bad('InfrastructureReady', 'Warning'), bad('OwnerRemediated', 'Error')],
      readyBecauseOf('OwnerRemediated', 'Error'),
    ],
    [
      'shows a health check that has failed',
      [bad('HealthCheckSucceeded', 'Warning'), isTrue('BootstrapReady')],
      readyBecauseOf('HealthCheckSucceeded', 'Warning'),
    ],
    [
      'shows what is unknown before what is bad without saying how bad',
      [{ type: 'InfrastructureReady', status: 'False' as const }, isUnknown('BootstrapReady')],
      { type: 'Ready', status: 'Unknown', reason: 'U', message: '', severity: '' },
    ],
    [
      'shows what is bad at all before what is bad without saying how bad',
      [{ type: 'InfrastructureReady', status: 'False' as const }, bad('BootstrapReady', 'Info')],
      readyBecauseOf('BootstrapReady', 'Info'),
    ],
    [
      'says no more than its worst part',
      [{ type: 'InfrastructureReady', status: 'False' as const }],
      { type: 'Ready', status: 'False', reason: '', message: '', severity: '' },
    ],
    [
      'has no severity while it is unknown',
      [{ ...isUnknown('BootstrapReady'), severity: 'Error' }],
      { type: 'Ready', status: 'Unknown', reason: 'U', message: '', severity: '' },
    ],
    [
      'is unknown when nothing else is',
      [isUnknown('BootstrapReady')],
      { type: 'Ready', status: 'Unknown', reason: 'U', message: '', severity: '' },
    ],
  ])('%s', (_what, list, saying) => {
    expect(readyV1Beta1Saying(list)).toEqual(saying);
  });
});
