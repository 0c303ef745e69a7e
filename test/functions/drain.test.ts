import { describe, expect, test } from 'vitest';
import { drain } from '../../functions/drain.ts';
import { openShift } from '../../shared/dialects/openshift/index.ts';
import type { PodRecord } from '../../shared/drain/pod-record.ts';
import type { PodTally } from '../../shared/drain/summary.ts';
import type { EvictionAnswer } from '../../shared/kubernetes/client.ts';
import type { DrainSeen, JudgedDrain } from '../../shared/observe/drain.ts';
import { after, timeAfter } from '../builders/cluster-api.ts';
import { anObservedDrain, type ObservedDrainParts } from '../builders/observed-drain.ts';
import { budget, pod, record, verdict } from '../builders/pods.ts';
import { aNode, aSubject } from '../builders/subject.ts';

const now = after(10);
const accepted: EvictionAnswer = { kind: 'accepted' };
const budgetText =
  "Cannot evict pod as it would violate the pod's disruption budget. The disruption budget guard needs 1 healthy pods and has 1 currently";
const refusal = { cause: 'BudgetExhausted', text: budgetText, budget: 'guard' } as const;
const refused: EvictionAnswer = { kind: 'refused', ...refusal };

const decide = (seen: DrainSeen, subject = aSubject()) => drain.decide(subject, seen, now);
const withTimeout = (drainTimeoutSeconds: number) => aSubject({ machine: { drainTimeoutSeconds } });
const refusedBefore = (name: string, notBefore: number): PodRecord =>
  record(name, { lastRefusal: refusal, notBefore, lastAttempt: now - 500 });
const guard = { ...budget('guard', { status: { disruptionsAllowed: 0 } }) };
guard.metadata.resourceVersion = '70';
const guarded = { budgets: new Map([['ns/guard', guard]]) };
const podsGone = (...uids: string[]) => ({
  kind: 'pods-gone',
  nodeName: 'node-1',
  uids,
  resourceVersion: '900',
});
/** What refuses may last: the end of the Node would end it. */
const nodeGone = {
  kind: 'object-gone',
  side: 'workload',
  resource: { group: '', version: 'v1', plural: 'nodes' },
  key: { name: 'node-1' },
  uid: 'node-uid-1',
  resourceVersion: '50',
};

const budgetFrees = { kind: 'budget-frees', namespace: 'ns', name: 'guard', resourceVersion: '70' };

describe('the drain is passed', () => {
  const success = {
    events: [
      {
        type: 'Normal',
        reason: 'SuccessfulDrainNode',
        message: 'success draining Machine\'s node "node-1"',
      },
    ],
  };

  test.each<[when: string, seen: DrainSeen, message: string]>([
    ['the Node is gone', { kind: 'no-node' }, 'the Node does not exist any more'],
    ['its Pods were seen to be gone', { kind: 'drained' }, 'no Pod that must go is left on the Node'],
    ['no Pod is on it', anObservedDrain({ verdicts: [] }), 'no Pod that must go is left on the Node'],
    [
      'only Pods that stay are on it',
      anObservedDrain({ verdicts: [verdict('ns/a', 'Skip')] }),
      'no Pod that must go is left on the Node',
    ],
    [
      'the Pod to wait for has completed and only its object is left',
      anObservedDrain({ verdicts: [verdict('ns/a', 'WaitCompleted', 0, { phase: 'Succeeded' })] }),
      'no Pod that must go is left on the Node',
    ],
  ])('as done when %s', (_when, seen, message) => {
    expect(decide(seen)).toEqual({ kind: 'advance', passing: 'done', message, ...success });
  });

  test.each(['excluded', 'timed-out', 'not-applicable'] as const)(
    'as %s when the gate is closed',
    (passing) => {
      const gate = { allowed: false, passing, why: 'the gate says so' } as const;
      expect(decide({ kind: 'closed', gate })).toEqual({
        kind: 'advance',
        passing,
        message: 'the gate says so',
      });
    },
  );
});

test.each<[passing: 'excluded' | 'timed-out', facts: object[]]>([
  ['excluded', [{ reason: 'DrainSkipped' }]],
  ['timed-out', []],
])('a drain that is %s is told to have been skipped or not', (passing, facts) => {
  const seen = { kind: 'closed', gate: { allowed: false, passing, why: 'w' } } as const;
  const { events: told } = { events: [], ...drain.decide(aSubject({ dialect: openShift }), seen, now) };
  expect(told).toMatchObject(facts);
  expect(told).toHaveLength(facts.length);
});

describe('a wait', () => {
  const late = after(21);
  const going = { verdicts: [verdict('ns/a', 'Drain', 0, { deletionTimestamp: timeAfter(5) })] };
  const noTime = { cause: 'NotAttempted', text: 'no time' } as const;

  test.each<[when: string, seen: JudgedDrain, at: number, isHeldUp: boolean]>([
    ['Pods stop', anObservedDrain(going), now, false],
    ['they stop for less than an attempt', anObservedDrain(going), late - 1, false],
    ['they stop for longer than an attempt', anObservedDrain(going), late, true],
    [
      'an eviction was refused',
      anObservedDrain({ verdicts: [verdict('ns/a')], answers: { 'ns/a': refused } }),
      now,
      true,
    ],
    [
      'an eviction was refused before, and is not tried yet',
      anObservedDrain({ verdicts: [verdict('ns/a')], records: [refusedBefore('ns/a', now + 150)] }),
      now,
      true,
    ],
    [
      'an eviction was refused before, and nobody knows by what',
      anObservedDrain({
        verdicts: [verdict('ns/a')],
        records: [record('ns/a', { notBefore: now + 150, lastAttempt: now - 500 })],
      }),
      now,
      false,
    ],
    [
      'there was no time for an eviction',
      anObservedDrain({ verdicts: [verdict('ns/a')], answers: { 'ns/a': { kind: 'refused', ...noTime } } }),
      now,
      false,
    ],
    [
      'a refusal was overcome',
      anObservedDrain({
        verdicts: [verdict('ns/a')],
        records: [refusedBefore('ns/a', now + 150)],
        answers: { 'ns/a': accepted },
      }),
      now,
      false,
    ],
  ])('is held up or not when %s', (_when, seen, at, isHeldUp) => {
    const decision = drain.decide(aSubject(), seen, at);
    expect(decision).toMatchObject({ kind: 'wait' });
    expect(JSON.stringify(decision).includes('"isHeldUp":true')).toBe(isHeldUp);
  });
});

test('a Machine that says it is drained is taken at its word, and nobody is told again', () => {
  expect(decide({ kind: 'drained-before' })).toEqual({
    kind: 'advance',
    passing: 'done',
    message: 'the Machine says that it has been drained',
  });
});

describe('the Node', () => {
  test('is cordoned before its Pods are listed, by its UID', () => {
    expect(decide({ kind: 'schedulable', name: 'node-1', uid: 'node-uid-1', isExclusive: false })).toEqual({
      kind: 'act',
      effects: [{ kind: 'cordon', node: 'node-1', uid: 'node-uid-1' }],
      report: { reason: 'DrainingNode', message: 'Cordoning Node node-1' },
    });
  });
});

/** For the log: Pods by what is to become of them. */
const tally = (pods: Partial<PodTally>) => ({
  node: 'node-1',
  pods: {
    podsToTriggerEvictionNow: [],
    podsToTriggerEvictionLater: [],
    podsFailedEviction: [],
    podsWithDeletionTimestamp: [],
    podsToWaitCompletedNow: [],
    podsToWaitCompletedLater: [],
    ...pods,
  },
});

describe('evictions', () => {
  const three = [verdict('ns/b'), verdict('ns/a'), verdict('ns/later', 'Drain', 1)];

  test('are of the lowest order only, sorted by name', () => {
    expect(decide(anObservedDrain({ verdicts: three }))).toEqual({
      kind: 'act',
      effects: [{ kind: 'evict', evictions: [{ pod: pod('ns/a') }, { pod: pod('ns/b') }] }],
      report: { reason: 'DrainingNode', message: 'Evicting 2 of 2 Pods of order 0' },
      drain: tally({ podsToTriggerEvictionNow: ['ns/a', 'ns/b'], podsToTriggerEvictionLater: ['ns/later'] }),
    });
  });

  test('do not wait for Pods to stop on a Node nobody hears from', () => {
    expect(decide(anObservedDrain({ verdicts: [verdict('ns/a')], unreachable: true }))).toMatchObject({
      effects: [{ kind: 'evict', evictions: [{ pod: pod('ns/a'), gracePeriodSeconds: 1 }] }],
    });
  });

  test('spare Pods that are on their way, that are waited for, and that stay', () => {
    const seen = anObservedDrain({
      verdicts: [
        verdict('ns/fresh'),
        verdict('ns/going', 'Drain', 0, { deletionTimestamp: timeAfter(5) }),
        verdict('ns/accepted'),
        verdict('ns/job', 'WaitCompleted'),
        verdict('ns/daemon', 'Skip'),
      ],
      records: [record('ns/accepted', { outcome: 'accepted' })],
    });
    expect(decide(seen)).toMatchObject({
      kind: 'act',
      effects: [{ kind: 'evict', evictions: [{ pod: pod('ns/fresh') }] }],
    });
  });

  test('leave out Pods whose back-off is not over', () => {
    const seen = anObservedDrain({
      verdicts: [verdict('ns/a'), verdict('ns/b')],
      records: [refusedBefore('ns/a', now + 100)],
    });
    expect(decide(seen)).toMatchObject({
      effects: [{ kind: 'evict', evictions: [{ pod: pod('ns/b') }] }],
      report: { message: 'Evicting 1 of 2 Pods of order 0' },
    });
  });

  test('come in one round a look: what a budget still allows is known from a new look only', () => {
    const seen = anObservedDrain({
      verdicts: [verdict('ns/a'), verdict('ns/appeared')],
      records: [record('ns/a', { outcome: 'accepted' })],
      answers: { 'ns/a': accepted },
    });
    expect(decide(seen).kind).toBe('wait');
  });
});

describe('waiting for Pods', () => {
  test("says in Cluster API's words what is on its way and what comes afterwards", () => {
    const seen = anObservedDrain({
      verdicts: [verdict('ns/a'), verdict('ns/later', 'Drain', 1), verdict('ns/job', 'WaitCompleted')],
      records: [record('ns/a', { outcome: 'accepted' })],
      answers: { 'ns/a': accepted },
    });
    expect(decide(seen)).toEqual({
      kind: 'wait',
      until: [{ ...podsGone('ns/a', 'ns/job'), lowestOrder: ['ns/a', 'ns/job'], lasting: ['ns/job'] }],
      report: {
        reason: 'DrainingNode',
        message: [
          'Drain not completed yet (started at 2026-01-01T12:00:01Z):',
          '* Pod ns/a: deletionTimestamp set, but still not removed from the Node',
          '* Pod ns/job: waiting for completion',
          'After above Pods have been removed from the Node, the following Pods will be evicted: ns/later',
        ].join('\n'),
      },
      requeueAfterSeconds: 20,
      drain: tally({
        podsWithDeletionTimestamp: ['ns/a'],
        podsToTriggerEvictionLater: ['ns/later'],
        podsToWaitCompletedNow: ['ns/job'],
      }),
    });
  });

  test('that somebody keeps by a finalizer awaits the end of the Node, too', () => {
    const kept = { deletionTimestamp: timeAfter(5), finalizers: ['example.com/keep'] };
    const seen = anObservedDrain({ verdicts: [verdict('ns/a', 'Drain', 0, kept)] });
    expect(decide(seen)).toMatchObject({ until: [podsGone('ns/a'), nodeGone] });
  });

  test('does not await Pods of later orders: they come only afterwards', () => {
    const seen = anObservedDrain({
      verdicts: [
        verdict('ns/a', 'Drain', 0, { deletionTimestamp: timeAfter(5) }),
        verdict('ns/later', 'Drain', 1),
        verdict('ns/job', 'WaitCompleted'),
      ],
    });
    expect(decide(seen)).toMatchObject({ until: [podsGone('ns/a', 'ns/job')] });
  });

  test('awaits what this look has evicted, also when nothing is remembered of it', () => {
    const seen = anObservedDrain({ verdicts: [verdict('ns/a')], answers: { 'ns/a': accepted } });
    expect(decide(seen)).toMatchObject({ until: [podsGone('ns/a'), { kind: 'time' }] });
  });

  test('of one order awaits Pods of later orders that are on their way already', () => {
    const seen = anObservedDrain({
      verdicts: [
        verdict('ns/a', 'Drain', 0, { deletionTimestamp: timeAfter(5) }),
        verdict('ns/later', 'Drain', 1, { deletionTimestamp: timeAfter(5) }),
      ],
    });
    expect(decide(seen)).toMatchObject({ until: [podsGone('ns/a', 'ns/later')] });
  });
});

const goingAt = (deletionTimestamp: string) => verdict('ns/a', 'Drain', 0, { deletionTimestamp });
const untilOf = (verdicts: ObservedDrainParts['verdicts'], more: Partial<ObservedDrainParts> = {}) => {
  const decision = decide(anObservedDrain({ verdicts, unreachable: true, ...more }));
  return decision.kind === 'wait' ? decision.until : decision;
};

describe('on a Node nobody hears from', () => {
  test.each<[deletedAt: string, at: number]>([
    [timeAfter(12), after(14)],
    [timeAfter(9), after(11)],
    [timeAfter(5), after(11)],
  ])('a Pod that was to be gone at %s is left behind soon after, and looked at then', (deletedAt, at) => {
    expect(untilOf([goingAt(deletedAt)])).toEqual([podsGone('ns/a'), { kind: 'time', at }]);
  });

  test.each<[deletedAt: string, requeueAfterSeconds: number]>([
    [timeAfter(60), 20],
    [timeAfter(12), 4],
    [timeAfter(5), 1],
  ])('the saved look does not come later than that for a Pod of %s', (deletedAt, requeueAfterSeconds) => {
    const seen = anObservedDrain({ verdicts: [goingAt(deletedAt)], unreachable: true });
    expect(decide(seen)).toMatchObject({ kind: 'wait', requeueAfterSeconds });
  });

  test('a Pod with more time left is evicted again by OpenShift, and by no other API', () => {
    const seen = anObservedDrain({ verdicts: [goingAt(timeAfter(3_600))], unreachable: true });
    const hurried = { kind: 'evict', evictions: [{ pod: seen.plan.terminating[0], gracePeriodSeconds: 1 }] };
    expect(decide(seen, aSubject({ dialect: openShift }))).toMatchObject({ kind: 'act', effects: [hurried] });
    expect(decide(seen)).toMatchObject({ kind: 'wait' });
  });

  test('and on no other: a Pod with more time left is not evicted again where its Node answers', () => {
    const seen = anObservedDrain({ verdicts: [goingAt(timeAfter(3_600))] });
    expect(decide(seen, aSubject({ dialect: openShift }))).toMatchObject({ kind: 'wait' });
  });

  test('a Pod that was evicted again is left behind after its one second, whatever time it had', () => {
    const answers = { 'ns/a': accepted };
    expect(untilOf([goingAt(timeAfter(3_600))], { answers })).toEqual([
      podsGone('ns/a'),
      { kind: 'time', at: after(13) },
    ]);
  });

  test('a Pod that was just evicted is left behind after its one second', () => {
    const records = [record('ns/a', { outcome: 'accepted' })];
    expect(untilOf([verdict('ns/a')], { records, answers: { 'ns/a': accepted } })).toEqual([
      podsGone('ns/a'),
      { kind: 'time', at: now + 3_000 },
    ]);
  });
});

describe('a refused Pod', () => {
  const alone = { verdicts: [verdict('ns/a')], ...guarded };

  test('waits for its budget and for the end of its back-off', () => {
    const seen = anObservedDrain({
      ...alone,
      records: [refusedBefore('ns/a', now + 150)],
      answers: { 'ns/a': refused },
    });
    expect(decide(seen)).toEqual({
      kind: 'wait',
      until: [budgetFrees, { kind: 'time', at: now + 150 }, nodeGone],
      report: {
        reason: 'DrainingNode',
        message: [
          'Drain not completed yet (started at 2026-01-01T12:00:01Z):',
          "* Pod ns/a: cannot evict pod as it would violate the pod's disruption budget. The disruption budget guard needs 1 healthy pods and has 1 currently",
        ].join('\n'),
        isHeldUp: true,
      },
      requeueAfterSeconds: 20,
      drain: tally({ podsToTriggerEvictionNow: ['ns/a'], podsFailedEviction: ['ns/a'] }),
    });
  });

  test('shows its last refusal while it is not asked about', () => {
    const seen = anObservedDrain({ ...alone, records: [refusedBefore('ns/a', now + 150)] });
    expect(decide(seen)).toMatchObject({
      kind: 'wait',
      until: [budgetFrees, { kind: 'time', at: now + 150 }, nodeGone],
      report: { message: expect.stringContaining('The disruption budget guard needs 1 healthy pods') },
    });
  });

  test('is tried again at once when we had no time for it', () => {
    const notAttempted = { cause: 'NotAttempted', text: 'eviction timeout of 10s reached' } as const;
    const seen = anObservedDrain({
      verdicts: [verdict('ns/a')],
      records: [record('ns/a', { lastRefusal: notAttempted, notBefore: now + 5_000 })],
      answers: { 'ns/a': { kind: 'refused', ...notAttempted } },
    });
    expect(decide(seen)).toMatchObject({ until: [{ kind: 'time', at: now }] });
  });

  test('without a budget waits for the end of its own back-off, the soonest first', () => {
    const failed = { cause: 'Failed', text: 'no' } as const;
    const seen = anObservedDrain({
      verdicts: [verdict('ns/a'), verdict('ns/b')],
      records: [
        record('ns/a', { lastRefusal: failed, notBefore: now + 900 }),
        record('ns/b', { lastRefusal: failed, notBefore: now + 300 }),
      ],
    });
    expect(decide(seen)).toMatchObject({ until: [{ kind: 'time', at: now + 300 }, nodeGone] });
  });

  test('that appeared during the round is tried a second later', () => {
    const seen = anObservedDrain({
      verdicts: [verdict('ns/a'), verdict('ns/new')],
      records: [record('ns/a', { outcome: 'accepted' })],
      answers: { 'ns/a': accepted },
    });
    expect(decide(seen)).toMatchObject({ until: [podsGone('ns/a'), { kind: 'time', at: now + 1_000 }] });
  });
});

describe('Pods of one closed budget', () => {
  const verdicts = [verdict('ns/a'), verdict('ns/b'), verdict('ns/c')];

  test('are probed one for all: the last answer says when the next one is due', () => {
    const seen = anObservedDrain({
      verdicts,
      records: [
        refusedBefore('ns/a', now + 400),
        refusedBefore('ns/b', now - 100),
        refusedBefore('ns/c', now),
      ],
      answers: { 'ns/a': refused },
      ...guarded,
    });
    expect(decide(seen)).toMatchObject({ until: [budgetFrees, { kind: 'time', at: now + 400 }, nodeGone] });
  });

  test('do not ask at once when the one that was allowed has just been evicted', () => {
    const seen = anObservedDrain({
      verdicts,
      records: [
        record('ns/a', { outcome: 'accepted', lastRefusal: refusal }),
        refusedBefore('ns/b', now - 100),
        refusedBefore('ns/c', now - 100),
      ],
      answers: { 'ns/a': accepted },
      ...guarded,
    });
    expect(decide(seen)).toMatchObject({
      until: [podsGone('ns/a'), budgetFrees, { kind: 'time', at: now + 1_000 }, nodeGone],
    });
  });
});

describe('the drain timeout', () => {
  const going = anObservedDrain({
    verdicts: [verdict('ns/a', 'Drain', 0, { deletionTimestamp: timeAfter(5) })],
  });

  test.each<[seconds: number, end: number, requeueAfterSeconds: number]>([
    [60, after(61), 20],
    [14, after(15), 5],
    [10, after(11), 1],
    [9, after(10), 1],
  ])('of %i s is awaited too', (seconds, end, requeueAfterSeconds) => {
    expect(decide(going, withTimeout(seconds))).toMatchObject({
      kind: 'wait',
      until: [podsGone('ns/a'), { kind: 'time', at: end }],
      requeueAfterSeconds,
    });
  });

  test.each([0, -1])('of %i s is none', (seconds) => {
    expect(decide(going, withTimeout(seconds))).toMatchObject({
      until: [podsGone('ns/a')],
      requeueAfterSeconds: 20,
    });
  });
});

const failureReport = (error: string) => ({
  reason: 'DrainingNode',
  message: 'Error draining Node, please check controller logs for errors',
  error,
});
const failureFact = (error: string) => ({
  type: 'Warning',
  reason: 'FailedDrainNode',
  message: `error draining Machine's node "node-1": ${error}`,
});

describe('a drain that fails', () => {
  test('over Pods that cannot be judged says so; rules are not watched, so it looks again', () => {
    const failure = { message: 'failed to get Pods for eviction: rule broken', rule: 'broken' };
    expect(decide({ kind: 'unjudged', node: aNode(), failure })).toEqual({
      kind: 'wait',
      until: [{ kind: 'time', at: now + 20_000 }],
      report: failureReport(failure.message),
      requeueAfterSeconds: 20,
      events: [failureFact(failure.message)],
    });
  });

  test('because it could not look says which Node, and looks again soon', () => {
    const error = 'failed to drain Node node-1: connection refused';
    expect(drain.onUnavailable(aSubject(), 'connection refused', now)).toEqual({
      kind: 'wait',
      until: [{ kind: 'time', at: now + 5_000 }],
      report: failureReport(error),
      requeueAfterSeconds: 5,
      events: [failureFact(error)],
    });
  });

  test.each([
    'failed to cordon Node node-1: forbidden',
    'unable to get Node node-1: GET nodes/node-1 of https://blue: 500',
  ])('because of one thing says just that: %s', (error) => {
    expect(drain.onUnavailable(aSubject(), error, now)).toMatchObject({ report: failureReport(error) });
  });
});

test('a Pod that has come back to the cordoned Node is looked at without haste', () => {
  const gone = record('ns/agent', { podUid: 'first', outcome: 'accepted', lastAttempt: now - 5_000 });
  const back = verdict('ns/agent');
  back.pod.metadata.creationTimestamp = timeAfter(8);
  const seen = anObservedDrain({ verdicts: [back], records: [gone], answers: { 'ns/agent': accepted } });
  const decision = decide(seen);
  expect(decision).toMatchObject({ kind: 'wait', requeueAfterSeconds: 20 });
  expect(JSON.stringify(decision)).not.toContain('pods-gone');
});
