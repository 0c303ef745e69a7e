import { expect, test } from 'vitest';
import type { Fault } from '../faults/fault.ts';
import { aPod } from '../scenario/draw/draft.ts';
import { hookName, promptOwner } from '../scenario/draw/hooks.ts';
import type { Scenario } from '../scenario/model.ts';
import { simulate } from '../simulate.ts';
import { oneWorker } from './one-worker.ts';

// The reads of a step before its evictions took longer than the time limit of the drain. The server went with its Pods
// running.

/** A hook is taken off before; then there is half a minute to drain a Node with one Pod. */
const aDrain = (instances: number): Scenario =>
  oneWorker({
    worker: {
      timeouts: { drain: 30 },
      hooks: [
        {
          point: 'pre-drain',
          name: hookName('capi', 'pre-drain', 'backup'),
          owner: promptOwner,
          leavesAt: undefined,
        },
      ],
    },
    also: { pods: [aPod({ host: 'blue', node: 'node-1' }, { name: 'app' })] },
    world: { instances },
    calmAt: 300_000,
  });

const slowly: Fault = {
  name: 'the one of this story',
  about: 'Each request of an instance is answered after three seconds.',
  strike({ world }) {
    world.meddlers.onStep(({ strand, label }) => {
      if (!/ by instance/.test(label) || label.startsWith('answer')) return undefined;
      world.hit(this.name, strand);
      return 3_000;
    });
    return undefined;
  },
};

test.each([
  ['', 1],
  [', and another instance comes while whoever began it still reads', 3],
])('the Pods of a Node are asked to go, however slow its API is%s', async (_and, instances) => {
  const asked: string[] = [];
  const { violations } = await simulate(1, {
    faults: [slowly],
    always: true,
    scenario: () => aDrain(instances),
    observers: [
      () => ({
        before: ({ resource, verb, name }) => {
          if (resource === 'pods/eviction') asked.push(`evict ${name}`);
          if (verb === 'delete' && resource.startsWith('genericinfra')) asked.push('delete server');
        },
      }),
    ],
  });
  expect(violations).toEqual([]);
  expect([...new Set(asked)].slice(0, 2)).toEqual(['evict app', 'delete server']);
});
