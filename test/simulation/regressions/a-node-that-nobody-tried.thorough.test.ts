import { expect, test } from 'vitest';
import type { Fault } from '../faults/fault.ts';
import { standOf } from '../invariants/sight/checkpoint.ts';
import { simulate } from '../simulate.ts';
import { oneWorker } from './one-worker.ts';

// The time to delete a Node ended before the first try. Then one failed request left the Node behind for good.

const standingStill: Fault = {
  name: 'the one of this story',
  about:
    'The only instance stands still for half a minute when the Node is to go, and then one request fails.',
  strike({ world }) {
    let isReached = false;
    let isLost = false;
    world.management.watch('machines.cluster.x-k8s.io', ({ object }) => {
      if (isReached || standOf(object)?.phase !== 'node') return;
      isReached = true;
      world.hit(this.name);
      world.instances()[0]?.strand.pause(30_000);
    });
    return world.meddlers.onRequest(({ instance, verb, resource }) => {
      if (!isReached || isLost || resource !== 'nodes' || !['get', 'delete'].includes(verb)) return undefined;
      isLost = true;
      world.hit(this.name, instance);
      return { answer: { status: 403, reason: 'Forbidden', message: 'not now' } };
    });
  },
};

test('is tried again, though nobody came to it for longer than its time', async () => {
  let hits = 0;
  let isLeft = false;
  const { violations } = await simulate(1, {
    faults: [standingStill],
    always: true,
    scenario: () => oneWorker({ worker: { timeouts: { node: 10 } }, calmAt: 90_000 }),
    observers: [
      () => ({
        hit: () => void (hits += 1),
        before: ({ body }) => void (isLeft ||= JSON.stringify(body ?? '').includes('timed-out')),
      }),
    ],
  });
  expect({ violations, hits, isLeft }).toEqual({ violations: [], hits: 2, isLeft: false });
});
