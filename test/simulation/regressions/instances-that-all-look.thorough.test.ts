import { expect, test } from 'vitest';
import { aPod } from '../scenario/draw/draft.ts';
import { simulate } from '../simulate.ts';
import { oneWorker } from './one-worker.ts';

// A budget holds up a drain. Every instance that had looked at the Machine once went on looking, at times of its own.
// Five instances sent four times as many requests as one. Now one goes on, and the others leave it to that one.

const pods = ['p1', 'p2', 'p3', 'p4'].map((name) =>
  aPod({ host: 'blue', node: 'node-1' }, { name, labels: { app: 'a' } }),
);
const spec = { maxUnavailable: 0, selector: { matchLabels: { app: 'a' } } };

/** How many requests so many instances send within a quarter of an hour in which the budget allows nothing. */
async function requestsOf(instances: number): Promise<number> {
  let requests = 0;
  const { violations } = await simulate(1, {
    faults: [],
    invariants: [],
    scenario: () =>
      oneWorker({
        also: { pods, budgets: [{ host: 'blue', namespace: 'shop', name: 'all', spec }] },
        world: { instances },
        calmAt: 15 * 60_000,
      }),
    observers: [
      () => ({ after: ({ instance }) => void (requests += instance.startsWith('instance') ? 1 : 0) }),
    ],
  });
  expect(violations).toEqual([]);
  return requests;
}

test('a Machine that is held up is not looked at by all that have looked at it once', async () => {
  const [one, five] = [await requestsOf(1), await requestsOf(5)];
  expect(five).toBeLessThan(1.5 * one);
});
