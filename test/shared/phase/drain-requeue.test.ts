import { describe, expect, test } from 'vitest';
import { puttingOff } from '../../../shared/drain/plan.ts';
import type { PodRecord } from '../../../shared/drain/pod-record.ts';
import type { PodVerdict } from '../../../shared/drain/verdict.ts';
import type { PodDisruptionBudget } from '../../../shared/kubernetes/objects.ts';
import { drainEnds } from '../../../shared/phase/drain-requeue.ts';
import { after, timeAfter } from '../../builders/cluster-api.ts';
import { anObservedDrain } from '../../builders/observed-drain.ts';
import { budget, record, verdict } from '../../builders/pods.ts';
import { aSubject } from '../../builders/subject.ts';

const now = after(10);

const refusedUntil = (notBefore: number, name: string, budgetName?: string): PodRecord =>
  record(name, {
    notBefore,
    lastAttempt: now - 100,
    lastRefusal: {
      cause: budgetName === undefined ? 'Failed' : 'BudgetExhausted',
      text: 'no',
      ...(budgetName !== undefined && { budget: budgetName }),
    },
  });

const read = (...names: string[]): Map<string, PodDisruptionBudget> =>
  new Map(names.map((name) => [name, budget(name)]));

describe('evictions are tried again', () => {
  test.each<[when: string, records: PodRecord[], budgets: string[], at: number]>([
    [
      'when the first of two back-offs is over',
      [refusedUntil(now + 150, 'ns/a'), refusedUntil(now + 900, 'ns/b')],
      [],
      now + 150,
    ],
    [
      'when the last back-off is over of those that one closed budget keeps: one answer is for all',
      [refusedUntil(now + 150, 'ns/a', 'web'), refusedUntil(now + 900, 'ns/b', 'web')],
      ['ns/web'],
      now + 900,
    ],
    [
      'when the first back-off is over of those that a budget kept which is gone',
      [refusedUntil(now + 150, 'ns/a', 'web'), refusedUntil(now + 900, 'ns/b', 'web')],
      [],
      now + 150,
    ],
    [
      'when the first back-off is over of those that two budgets keep',
      [refusedUntil(now + 150, 'ns/a', 'web'), refusedUntil(now + 900, 'ns/b', 'cache')],
      ['ns/web', 'ns/cache'],
      now + 150,
    ],
    [
      'when the first is over of those that budgets of one name keep in two namespaces',
      [refusedUntil(now + 150, 'ns/a', 'web'), refusedUntil(now + 900, 'other/b', 'web')],
      ['ns/web', 'other/web'],
      now + 150,
    ],
    [
      'when its own back-off is over of one that no budget keeps, beside those of a budget',
      [refusedUntil(now + 150, 'ns/a'), refusedUntil(now + 900, 'ns/b', 'web')],
      ['ns/web'],
      now + 150,
    ],
    [
      'when its own back-off is over of one of which nobody knows what refused it',
      [record('ns/a', { notBefore: now + 150, lastAttempt: now - 100 })],
      [],
      now + 150,
    ],
    ['in a second when a back-off ends right now', [refusedUntil(now, 'ns/a')], [], now + 1_000],
    ['in a second when one ended before', [refusedUntil(now - 1, 'ns/a')], [], now + 1_000],
  ])('%s', (_when, records, budgets, at) => {
    const verdicts = records.map(({ namespace, name }) => verdict(`${namespace}/${name}`));
    const { until } = drainEnds(
      aSubject(),
      anObservedDrain({ verdicts, records, budgets: read(...budgets) }),
      now,
    );
    expect(until.filter(({ kind }) => kind === 'time')).toEqual([{ kind: 'time', at }]);
  });
});

test('on a Node that nobody hears from Pods are left behind when the last was to be gone', () => {
  const verdicts = [
    verdict('ns/a', 'Drain', 0, { deletionTimestamp: timeAfter(12) }),
    verdict('ns/b', 'Drain', 0, { deletionTimestamp: timeAfter(18) }),
  ];
  expect(drainEnds(aSubject(), anObservedDrain({ verdicts, unreachable: true }), now)).toEqual({
    until: [
      { kind: 'pods-gone', nodeName: 'node-1', uids: ['ns/a', 'ns/b'], resourceVersion: '900' },
      { kind: 'time', at: after(20) },
    ],
    requeueAfterSeconds: 10,
  });
});

describe('a Pod that has come back is evicted again', () => {
  const back = anObservedDrain({ verdicts: [verdict('ns/back')] });
  const resting = (...ends: [name: string, at: number][]) => ({
    ...back,
    plan: puttingOff(back.plan, new Map(ends)),
    resting: new Map(ends),
  });

  test('when its rest is over, and not before', () => {
    expect(drainEnds(aSubject(), resting(['ns/back', now + 7_500]), now)).toEqual({
      until: [{ kind: 'time', at: now + 7_500 }],
      requeueAfterSeconds: 8,
    });
  });

  test('the first of two first', () => {
    const seen = resting(['ns/back', now + 15_000], ['ns/another', now + 4_000]);
    expect(drainEnds(aSubject(), seen, now)).toEqual({
      until: [{ kind: 'time', at: now + 4_000 }],
      requeueAfterSeconds: 4,
    });
  });

  test('or looked at in 20 s, where a clock a little ahead wrote when it was evicted', () => {
    expect(drainEnds(aSubject(), resting(['ns/back', now + 35_000]), now).requeueAfterSeconds).toBe(20);
  });
});

test('on a Node that nobody hears from an eviction that does not show yet is no time', () => {
  const verdicts = [verdict('ns/a', 'Drain', 0, { deletionTimestamp: timeAfter(12) }), verdict('ns/b')];
  const records = [record('ns/b', { outcome: 'accepted' })];
  expect(drainEnds(aSubject(), anObservedDrain({ verdicts, records, unreachable: true }), now).until).toEqual(
    [
      { kind: 'pods-gone', nodeName: 'node-1', uids: ['ns/a', 'ns/b'], resourceVersion: '900' },
      { kind: 'time', at: after(14) },
    ],
  );
});

test('on a Node that nobody hears from nothing is left behind while no Pod is on its way', () => {
  const seen = anObservedDrain({ verdicts: [verdict('ns/w', 'WaitCompleted')], unreachable: true });
  expect(drainEnds(aSubject(), seen, now)).toEqual({
    until: [{ kind: 'pods-gone', nodeName: 'node-1', uids: ['ns/w'], resourceVersion: '900' }],
    requeueAfterSeconds: 20,
  });
});

const ends = (...verdicts: PodVerdict[]) =>
  drainEnds(aSubject(), anObservedDrain({ verdicts }), now).until[0];
const leaving = (name: string, order: number) =>
  verdict(name, 'Drain', order, { deletionTimestamp: timeAfter(5) });

const held = { deletionTimestamp: timeAfter(40), finalizers: ['example.com/x'] };

describe('beside Pods on their way are awaited', () => {
  test('those of the lowest order by themselves, where others come after them', () => {
    expect(ends(leaving('ns/a', 0), leaving('ns/stuck', 1), verdict('ns/later', 'Drain', 2))).toMatchObject({
      uids: ['ns/a', 'ns/stuck'],
      lowestOrder: ['ns/a'],
    });
  });

  test.each<[what: string, verdict: PodVerdict]>([
    ['is past the time at which it was to be gone', leaving('ns/stuck', 0)],
    ['is held by a finalizer', verdict('ns/stuck', 'Drain', 0, held)],
    ['is waited for until it completes', verdict('ns/stuck', 'WaitCompleted')],
  ])('as lasting, one that %s', (_what, stuck) => {
    const going = verdict('ns/a', 'Drain', 0, { deletionTimestamp: timeAfter(40) });
    expect(ends(going, stuck)).toMatchObject({ uids: ['ns/a', 'ns/stuck'], lasting: ['ns/stuck'] });
  });

  test('none by themselves where none comes after them', () => {
    expect(ends(leaving('ns/a', 0), leaving('ns/stuck', 1))).not.toHaveProperty('lowestOrder');
  });

  test('those that are refused, which somebody else may delete', () => {
    expect(ends(leaving('ns/a', 0), verdict('ns/refused'))).toMatchObject({
      uids: ['ns/a'],
      refused: ['ns/refused'],
    });
  });
});
