import { expect, test } from 'vitest';
import type { Fault } from '../faults/fault.ts';
import type { Blueprint } from '../scenario/blueprint.ts';
import { aMachine, aNode, emptyDraft } from '../scenario/draw/draft.ts';
import { returningSet } from '../scenario/draw/pods.ts';
import { blueSite } from '../scenario/draw/usual-sites.ts';
import type { Scenario } from '../scenario/model.ts';
import { scenarioOf } from '../scenario/plan.ts';
import { simulate } from '../simulate.ts';
import { refusals } from '../wire/invented.ts';

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
    world.meddlers.onRequest(({ resource }) =>
      resource === 'pods/eviction' ? { answerAfter: refusals.internal } : undefined,
    );
    return undefined;
  },
};

// The answer of an eviction that was obeyed was an error: what came next was evicted at once, 323 Pods in a minute.
test('is left alone also after an eviction that was obeyed and answered with an error', async () => {
  expect(await evictedInAMinute(2, [answeredWrong])).toEqual({ violations: [], evicted: 3 });
});
