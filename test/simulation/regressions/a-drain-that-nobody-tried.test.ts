import { expect, test } from 'vitest';
import type { Fault } from '../faults/fault.ts';
import { isRead } from '../faults/api/request-fault.ts';
import type { Blueprint } from '../scenario/blueprint.ts';
import { aMachine, aNode, aPod, emptyDraft } from '../scenario/draw/draft.ts';
import { blueSite } from '../scenario/draw/usual-sites.ts';
import type { Scenario } from '../scenario/model.ts';
import { scenarioOf } from '../scenario/plan.ts';
import { simulate } from '../simulate.ts';

// A start was made up, the instance stood still, and the time limit was over: the server went with its Pods running.

const node = 'node-1';

/** Half a minute to drain a Node with one Pod. */
function aDrain(): Scenario {
  const member = aMachine(blueSite, { name: 'blue-cp-1', isControlPlane: true });
  const worker = aMachine(blueSite, {
    name: 'blue-worker-1',
    node,
    deletedAt: [1_000],
    timeouts: { drain: 30 },
  });
  const blueprint: Blueprint = {
    ...emptyDraft(),
    clusters: [
      {
        api: 'capi',
        namespace: 'fleet',
        name: 'blue',
        host: 'blue',
        controlPlane: undefined,
        isPaused: false,
      },
    ],
    machines: [member, worker],
    nodes: [aNode({ host: 'blue', name: node, providerID: worker.providerID })],
    pods: [aPod({ host: 'blue', node }, { name: 'app' })],
  };
  return scenarioOf({
    blueprint,
    world: { workloads: ['blue'], instances: 1, config: {}, latencyMilliseconds: 5 },
    calmAt: 90_000,
  });
}

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
