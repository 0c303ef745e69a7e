import { expect, test } from 'vitest';
import type { Fault } from '../faults/fault.ts';
import { faults } from '../faults/index.ts';
import type { Blueprint } from '../scenario/blueprint.ts';
import { aMachine, aNode, emptyDraft } from '../scenario/draw/draft.ts';
import { returningSet } from '../scenario/draw/pods.ts';
import { blueSite } from '../scenario/draw/usual-sites.ts';
import type { Scenario } from '../scenario/model.ts';
import { scenarioOf } from '../scenario/plan.ts';
import { simulate } from '../simulate.ts';

// Two instances evicted what came in the place of what the other one had evicted just before: 377 Pods in 40 s.

const member = aMachine(blueSite, { name: 'blue-cp-1', isControlPlane: true });
const worker = aMachine(blueSite, { name: 'blue-worker-1', node: 'node-1', deletedAt: [1_000] });

const blueprint: Blueprint = {
  ...emptyDraft(),
  clusters: [
    { api: 'capi', namespace: 'fleet', name: 'blue', host: 'blue', controlPlane: undefined, isPaused: false },
  ],
  machines: [member, worker],
  nodes: [aNode({ host: 'blue', name: 'node-1', providerID: worker.providerID })],
  sets: [returningSet({ host: 'blue', node: 'node-1' })],
};

/** The Pods of a worker's Node come back to it until somebody gives in. */
const scenario = (instances: number): Scenario =>
  scenarioOf({
    blueprint,
    world: { workloads: ['blue'], instances, config: {}, latencyMilliseconds: 5 },
    calmAt: 61_000,
  });

/** What is violated, and how many Pods are evicted in the first minute of the deletion. */
async function evictedInAMinute(seed: number, instances: number, struckBy: readonly Fault[] = []) {
  const evicted = new Set<string>();
  let isCalm = false;
  const { violations } = await simulate(seed, {
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
  expect(await evictedInAMinute(1, instances)).toEqual({ violations: [], evicted: 3 });
});

// The answer of an eviction that was obeyed was an error: what came next was evicted at once, 323 Pods in a minute.
test('is left alone also after an eviction that was obeyed and answered with an error', async () => {
  const struckBy = faults.filter(({ name }) => name === 'server-error-with-effect');
  const { violations, evicted } = await evictedInAMinute(4, 2, struckBy);
  expect([struckBy.length, violations]).toEqual([1, []]);
  expect(evicted).toBeLessThan(8);
});
