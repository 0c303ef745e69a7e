import { expect, test } from 'vitest';
import { isRead } from '../faults/api/request-fault.ts';
import type { Fault } from '../faults/fault.ts';
import { aPod } from '../scenario/draw/draft.ts';
import type { Scenario } from '../scenario/model.ts';
import { simulate } from '../simulate.ts';
import { oneWorker } from './one-worker.ts';

// Phaseout invented a start, the instance stood still, and the time limit ended. The server went with its Pods running.

/** Half a minute to drain a Node with one Pod. */
const aDrain = (): Scenario =>
  oneWorker({
    worker: { timeouts: { drain: 30 } },
    also: { pods: [aPod({ host: 'blue', node: 'node-1' }, { name: 'app' })] },
    calmAt: 90_000,
  });

/** Once, 55 s long. */
const standingStillAfter = (reads: number): Fault => ({
  name: 'the one of this story',
  about: `The first instance stands still after its read ${reads} since the deletion.`,
  strike({ world }) {
    let seen = 0;
    world.meddlers.onRequest((exchange) => {
      const [instance] = world.instances();
      if (world.now() - world.began < 1_000 || exchange.instance !== instance?.name) return undefined;
      if (isRead(exchange)) seen += 1;
      if (seen === reads) {
        seen = Infinity;
        instance.strand.pause(55_000);
        world.hit(this.name, instance.name);
      }
      return undefined;
    });
    return undefined;
  },
});

/** Until somebody sets it right. */
const aClockBehind: Fault = {
  name: 'the one of this story',
  about: 'The clock of the first instance is two hours behind for the first seconds of the deletion.',
  strike({ world }) {
    const [instance] = world.instances();
    instance?.strand.skew(-7_200_000);
    world.hit(this.name, instance?.name);
    world.scheduler.after(1_200, () => instance?.strand.skew(0));
    return undefined;
  },
};

/** What is violated, how often it struck, and which Pods are evicted. */
async function played(fault: Fault) {
  const evicted = new Set<string>();
  let hits = 0;
  const { violations } = await simulate(1, {
    faults: [fault],
    always: true,
    scenario: aDrain,
    observers: [
      () => ({
        hit: () => void (hits += 1),
        before: ({ resource, name }) => void (resource === 'pods/eviction' && evicted.add(name)),
      }),
    ],
  });
  return { violations, hits, evicted: [...evicted] };
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])('is tried by who stood still after its read %i', async (reads) => {
  expect(await played(standingStillAfter(reads))).toEqual({ violations: [], hits: 1, evicted: ['app'] });
});

test('is tried though a clock was two hours behind when it began', async () => {
  expect(await played(aClockBehind)).toEqual({ violations: [], hits: 1, evicted: ['app'] });
});
