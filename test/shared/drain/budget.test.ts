import { expect, test } from 'vitest';
import { disruptionsAllowed, isBeyondBudgets, isUnguarded } from '../../../shared/drain/budget-cause.ts';
import { pod } from '../../builders/pods.ts';

test('a budget of which nothing is known allows nothing, and guards Pods that are not Ready too', () => {
  const unknown = { metadata: { name: 'b' } };
  expect(disruptionsAllowed(unknown)).toBe(0);
  expect(isUnguarded(pod('ns/a', { ready: false }), unknown)).toBe(false);
});

test('a Pod of which nothing is known is not beyond budgets', () => {
  expect(isBeyondBudgets({ metadata: { name: 'a' } })).toBe(false);
});
