import { expect, test } from 'vitest';
import type { Fault } from '../faults/fault.ts';
import { returningSet } from '../scenario/draw/pods.ts';
import type { Scenario } from '../scenario/model.ts';
import { simulate } from '../simulate.ts';
import { refusals } from '../wire/invented.ts';
import { oneWorker } from './one-worker.ts';

// Two instances evicted each other's replacements at once: 377 Pods in 40 s.

/** The Pods of a worker's Node come back to it until somebody gives in. */
const scenario = (instances: number): Scenario =>
  oneWorker({
    also: { sets: [returningSet({ host: 'blue', node: 'node-1' })] },
    world: { instances },
    calmAt: 61_000,
  });

/** What is violated, and how many Pods are evicted in the first minute of the deletion. */
async function evictedInAMinute(instances: number, struckBy: readonly Fault[] = []) {
  const evicted = new Set<string>();
  let isCalm = false;
  const { violations } = await simulate(1, {
    faults: struckBy,
    always: true,
    scenario: () => scenario(instances),
    observers: [
      () => ({
        before: ({ resource, name }) => void (resource === 'pods/eviction' && !isCalm && evicted.add(name)),
        calm() {
          isCalm = true;
        },
      }),
    ],
  });
  return { violations, evicted: evicted.size };
}

test.each([1, 2, 3])('is evicted every 20 s, by %i instances together', async (instances) => {
  expect(await evictedInAMinute(instances)).toEqual({ violations: [], evicted: 3 });
});

const answeredWrong: Fault = {
  name: 'the one of this story',
  about: 'Each eviction is answered 500 after it was done.',
  strike({ world }) {
    world.meddlers.onRequest(({ resource }) => {
      if (resource !== 'pods/eviction') return undefined;
      world.hit(this.name);
      return { answerAfter: refusals.internal };
    });
    return undefined;
  },
};

// An eviction took effect and was answered with an error. Its replacement was evicted at once: 323 Pods in a minute.
test('is left alone also after an eviction that was obeyed and answered with an error', async () => {
  expect(await evictedInAMinute(2, [answeredWrong])).toEqual({ violations: [], evicted: 3 });
});
