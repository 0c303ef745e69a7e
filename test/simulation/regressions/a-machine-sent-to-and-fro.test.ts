import { expect, test } from 'vitest';
import type { Fault } from '../faults/fault.ts';
import { aMachine, aNode, emptyDraft } from '../scenario/draw/draft.ts';
import { blueSite } from '../scenario/draw/usual-sites.ts';
import type { Scenario } from '../scenario/model.ts';
import { scenarioOf } from '../scenario/plan.ts';
import { simulate } from '../simulate.ts';

// One instance had found the Node of a paused Machine, the other could not look for it, and each sent it to the other.

/** A Machine whose status names no Node, in a Cluster that is paused. */
function aPausedMachine(): Scenario {
  const member = aMachine(blueSite, { name: 'blue-cp-1', isControlPlane: true });
  const worker = aMachine(blueSite, {
    name: 'blue-worker-1',
    node: 'node-1',
    hasNodeRef: false,
    deletedAt: [1_000],
  });
  const cluster = {
    api: 'capi',
    namespace: 'fleet',
    name: 'blue',
    host: 'blue',
    controlPlane: undefined,
  } as const;
  return scenarioOf({
    blueprint: {
      ...emptyDraft(),
      clusters: [{ ...cluster, isPaused: true }],
      machines: [member, worker],
      nodes: [aNode({ host: 'blue', name: 'node-1', providerID: worker.providerID })],
    },
    world: { workloads: ['blue'], instances: 2, config: {}, latencyMilliseconds: 5 },
    calmAt: 90_000,
  });
}

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
  expect(hits).toBeGreaterThan(0);
});
