import { expect, test } from 'vitest';
import {
  disruptionsAllowed,
  explainBudget,
  explainedBy,
  isBeyondBudgets,
  isUnguarded,
} from '../../../shared/drain/budget.ts';
import type { PodDisruptionBudget } from '../../../shared/kubernetes/objects.ts';
import type { EvictionAnswer } from '../../../shared/kubernetes/port.ts';
import { pod } from './build.ts';
import { goldenKind } from './golden.ts';

type Spec = PodDisruptionBudget['spec'];
type Status = PodDisruptionBudget['status'];

const observed = { observedGeneration: 3 };
const budget = (spec: Spec, status: Status = {}): PodDisruptionBudget => ({
  metadata: { name: 'b', generation: 3 },
  ...(spec && { spec }),
  status: { ...observed, ...status },
});

test.each<[string, PodDisruptionBudget, ReturnType<typeof explainBudget>]>([
  ['maxUnavailable 0 never allows', budget({ maxUnavailable: 0 }), 'BudgetNeverAllows'],
  ['maxUnavailable 0% never allows', budget({ maxUnavailable: '0%' }), 'BudgetNeverAllows'],
  ['maxUnavailable "0" is no share', budget({ maxUnavailable: '0' }), 'BudgetExhausted'],
  ['maxUnavailable 0.5% is no share that counts', budget({ maxUnavailable: '0.5%' }), 'BudgetExhausted'],
  ['maxUnavailable 0% with more behind it neither', budget({ maxUnavailable: '0%!' }), 'BudgetExhausted'],
  ['maxUnavailable 10% can', budget({ maxUnavailable: '10%' }), 'BudgetExhausted'],
  ['minAvailable 100% never allows', budget({ minAvailable: '100%' }), 'BudgetNeverAllows'],
  ['minAvailable 99% can', budget({ minAvailable: '99%' }), 'BudgetExhausted'],
  [
    'minAvailable 100 is a number of Pods and no share',
    budget({ minAvailable: 100 }, { desiredHealthy: 100, expectedPods: 101 }),
    'BudgetExhausted',
  ],
  ['no spec and no status', { metadata: { name: 'b' } }, 'BudgetExhausted'],
  [
    'as many desired as expected never allow',
    budget({ minAvailable: 2 }, { desiredHealthy: 2, expectedPods: 2 }),
    'BudgetNeverAllows',
  ],
  [
    'one fewer desired than expected can',
    budget({ minAvailable: 2 }, { desiredHealthy: 2, expectedPods: 3 }),
    'BudgetExhausted',
  ],
  [
    'nothing expected says nothing',
    budget({ minAvailable: 2 }, { desiredHealthy: 2, expectedPods: 0 }),
    'BudgetExhausted',
  ],
  [
    'healthy Pods of which none is expected, as Pods without a controller are counted',
    budget({ maxUnavailable: 1 }, { desiredHealthy: 0, expectedPods: 0, currentHealthy: 1 }),
    'BudgetNeverAllows',
  ],
  [
    'a spec that nobody has looked at',
    budget({ maxUnavailable: 0 }, { observedGeneration: 2 }),
    'BudgetNotObserved',
  ],
  ['an empty status', { metadata: { name: 'b', generation: 1 } }, 'BudgetNotObserved'],
])('%s', (_, given, expected) => {
  expect(explainBudget(given)).toBe(expected);
});

test('recorded: the budget of ten Pods that may never be evicted', () => {
  const [recorded] = goldenKind<PodDisruptionBudget>('20-draining-pdb-blocked.yaml', 'PodDisruptionBudget');
  expect(explainBudget(recorded!)).toBe('BudgetNeverAllows');
});

test('explains only what a budget refused', () => {
  const never = budget({ maxUnavailable: 0 });
  const exhausted: EvictionAnswer = { kind: 'refused', cause: 'BudgetExhausted', text: 'no', budget: 'b' };
  const throttled: EvictionAnswer = { kind: 'refused', cause: 'Throttled', text: 'slow' };
  expect(explainedBy(never, exhausted)).toEqual({ ...exhausted, cause: 'BudgetNeverAllows' });
  expect(explainedBy(never, throttled)).toBe(throttled);
  expect(explainedBy(never, { kind: 'accepted' })).toEqual({ kind: 'accepted' });
});

test('a budget of which nothing is known allows nothing, and guards Pods that are not Ready too', () => {
  const unknown = { metadata: { name: 'b' } };
  expect(disruptionsAllowed(unknown)).toBe(0);
  expect(isUnguarded(pod('ns/a', { ready: false }), unknown)).toBe(false);
});

test('a Pod of which nothing is known is not beyond budgets', () => {
  expect(isBeyondBudgets({ metadata: { name: 'a' } })).toBe(false);
});
