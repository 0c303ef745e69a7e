import { expect, test } from 'vitest';
import type { Fault } from '../faults/fault.ts';
import { aCluster } from '../scenario/draw/draft.ts';
import { blueSite } from '../scenario/draw/usual-sites.ts';
import type { Scenario } from '../scenario/model.ts';
import { simulate } from '../simulate.ts';
import { oneWorker } from './one-worker.ts';

// Two instances sent a paused Machine to and fro. One had found its Node, the other could not search for it. Now no
// instance searches while the Machine is paused.

/** A Machine whose status names no Node, in a Cluster that is paused. */
const aPausedMachine = (): Scenario =>
  oneWorker({
    worker: { hasNodeRef: false },
    also: { clusters: [aCluster(blueSite, { isPaused: true })] },
    world: { instances: 2 },
    calmAt: 90_000,
  });

const nodesUnread: Fault = {
  name: 'the one of this story',
  about: 'The first instance cannot read Nodes until the calm.',
  strike({ world }) {
    const [first] = world.instances();
    return world.meddlers.onRequest(({ instance, resource }) => {
      if (instance !== first?.name || resource !== 'nodes') return undefined;
      world.hit(this.name, instance);
      return { lost: 'before' };
    });
  },
};

test('a Machine that is held waits where it is found, whatever each instance knows of it', async () => {
  let hits = 0;
  const { violations } = await simulate(1, {
    faults: [nodesUnread],
    always: true,
    scenario: aPausedMachine,
    observers: [() => ({ hit: () => void (hits += 1) })],
  });
  expect(violations).toEqual([]);
  expect(hits).toBe(0);
});
