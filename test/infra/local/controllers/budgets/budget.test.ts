import { describe, expect, it } from 'vitest';
import { budgetStatus } from '../../../../../infra/local/controllers/budgets/budget.ts';
import type { BudgetStatus, Pod } from '../../../../../infra/local/controllers/machinery/objects.ts';

const now = Date.parse('2026-01-01T00:10:00Z');

function aPod(name: string, ready: boolean, rest: object = {}): Pod {
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
  return { metadata: { name, ...rest }, status: { phase: 'Running', conditions } };
}

const ready = (count: number) => Array.from({ length: count }, (_, i) => aPod(`ready-${i}`, true));
const terminating = { deletionTimestamp: '2026-01-01T00:09:00Z' };

function statusOf(spec: object, pods: Pod[], expected: number, status: BudgetStatus = {}) {
  const budget = { metadata: { name: 'web', generation: 1 }, spec, status };
  return budgetStatus({ budget, pods, expectation: { count: expected }, now });
}

describe('the status of a disruption budget', () => {
  it.each([
    ['maxUnavailable 1 of 3', { maxUnavailable: 1 }, ready(3), 3, [1, 3, 2, 3]],
    ['maxUnavailable 1 with one Pod missing', { maxUnavailable: 1 }, ready(2), 3, [0, 2, 2, 3]],
    ['maxUnavailable 0', { maxUnavailable: 0 }, ready(3), 3, [0, 3, 3, 3]],
    ['maxUnavailable above the scale', { maxUnavailable: 5 }, ready(3), 3, [3, 3, 0, 3]],
    ['maxUnavailable in percent rounds up', { maxUnavailable: '30%' }, ready(4), 4, [2, 4, 2, 4]],
    ['maxUnavailable 100%', { maxUnavailable: '100%' }, ready(3), 3, [3, 3, 0, 3]],
    ['maxUnavailable over bare Pods', { maxUnavailable: 1 }, ready(1), 0, [0, 1, 0, 0]],
    ['minAvailable as a number counts the Pods there are', { minAvailable: 1 }, ready(2), 7, [1, 2, 1, 2]],
    ['minAvailable in percent rounds up', { minAvailable: '50%' }, ready(3), 3, [1, 3, 2, 3]],
    ['minAvailable in percent over bare Pods', { minAvailable: '50%' }, ready(3), 0, [0, 3, 0, 0]],
    ['no Pods at all', { minAvailable: 1 }, [], 0, [0, 0, 1, 0]],
    ['Pods that are not Ready', { maxUnavailable: 1 }, [...ready(2), aPod('c', false)], 3, [0, 2, 2, 3]],
    ['terminating Pods', { maxUnavailable: 1 }, [...ready(2), aPod('c', true, terminating)], 3, [0, 2, 2, 3]],
  ])('%s', (_, spec, pods, expected, [allowed, current, desired, all]) => {
    const status = statusOf(spec, pods, expected);
    expect(status).toMatchObject({
      disruptionsAllowed: allowed,
      currentHealthy: current,
      desiredHealthy: desired,
      expectedPods: all,
      observedGeneration: 1,
    });
  });

  it.each([
    ['True', 'SufficientPods', ready(3)],
    ['False', 'InsufficientPods', ready(2)],
  ])('says DisruptionAllowed=%s because of %s', (value, reason, pods) => {
    expect(statusOf({ maxUnavailable: 1 }, pods, 3).conditions).toEqual([
      {
        type: 'DisruptionAllowed',
        status: value,
        reason,
        message: '',
        observedGeneration: 1,
        lastTransitionTime: '2026-01-01T00:10:00Z',
      },
    ]);
  });

  it('counts an allowed eviction as done while it is young', () => {
    const disruptedPods = {
      'ready-0': '2026-01-01T00:09:00Z',
      'ready-1': '2026-01-01T00:07:00Z',
      gone: '2026-01-01T00:09:59Z',
    };
    const status = statusOf({ maxUnavailable: 2 }, ready(3), 3, { disruptedPods });
    expect(status).toMatchObject({
      currentHealthy: 2,
      disruptionsAllowed: 1,
      disruptedPods: { 'ready-0': '2026-01-01T00:09:00Z' },
    });
    expect(Object.keys(status.disruptedPods!)).toEqual(['ready-0']);
  });

  it('allows nothing, and says why, when the scale cannot be told', () => {
    const failure = 'daemonsets.apps does not implement the scale subresource';
    const budget = { metadata: { name: 'web', generation: 2 }, spec: { maxUnavailable: 1 } };
    const status = { observedGeneration: 1, currentHealthy: 3, disruptionsAllowed: 1 };
    const view = { budget: { ...budget, status }, pods: ready(3), expectation: { failure }, now };
    expect(budgetStatus(view)).toEqual({
      observedGeneration: 1,
      currentHealthy: 3,
      desiredHealthy: 0,
      expectedPods: 0,
      disruptionsAllowed: 0,
      conditions: [
        {
          type: 'DisruptionAllowed',
          status: 'False',
          reason: 'SyncFailed',
          message: failure,
          observedGeneration: 1,
          lastTransitionTime: '2026-01-01T00:10:00Z',
        },
      ],
    });
  });
});
