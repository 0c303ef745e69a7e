import { expect, test } from 'vitest';
import { recordAt } from '../../../shared/dialects/fields.ts';
import type { Fault } from '../faults/fault.ts';
import type { Scenario } from '../scenario/model.ts';
import { simulate } from '../simulate.ts';
import { oneWorker } from './one-worker.ts';

// The drain was passed at once. What the store took before that was written was taken off the time for volumes.

/** Half a minute for volumes to come off; the Node has no Pods. */
const aWaitForVolumes = (): Scenario => oneWorker({ worker: { timeouts: { volumes: 30 } }, calmAt: 90_000 });

/** Once, 55 s long. */
const standingStillAtTheStore: Fault = {
  name: 'the one of this story',
  about: 'The instance stands still while the store is too busy to write down when it looks again.',
  strike({ world }) {
    const blue = world.cluster('blue');
    for (const { metadata } of blue.list('nodes'))
      blue.patch('nodes', { metadata }, { spec: { unschedulable: true } });
    let isStruck = false;
    world.meddlers.onStore(({ name }) => {
      if (isStruck || name !== 'PutItem' || world.now() - world.began < 1_000) return undefined;
      isStruck = true;
      const [instance] = world.instances();
      instance?.strand.pause(55_000);
      world.hit(this.name, instance?.name);
      return 'throttled';
    });
    return undefined;
  },
};

test('the time for volumes is whole, where the instance stood still before it was written down', async () => {
  const passed: unknown[] = [];
  let hits = 0;
  const { violations } = await simulate(1, {
    faults: [standingStillAtTheStore],
    always: true,
    scenario: aWaitForVolumes,
    observers: [
      () => ({
        hit: () => void (hits += 1),
        logged(_instance, _level, message, fields) {
          const { phase, as } = recordAt(fields);
          if (message === 'Phase passed') passed.push(`${String(phase)} ${String(as)}`);
        },
      }),
    ],
  });
  expect({ violations, hits, passed: passed.slice(0, 2) }).toEqual({
    violations: [],
    hits: 1,
    passed: ['drain done', 'volume-detach done'],
  });
});
