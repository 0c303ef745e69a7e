import { expect, test } from 'vitest';
import type { Fault } from '../faults/fault.ts';
import { thinksSeconds } from '../platform/provider-desk.ts';
import { aCluster, aMachine, emptyDraft } from '../scenario/draw/draft.ts';
import { newServer } from '../scenario/draw/servers.ts';
import { originalSite } from '../scenario/draw/usual-sites.ts';
import { scenarioOf } from '../scenario/plan.ts';
import { simulate } from '../simulate.ts';

// One lost answer was enough. The instance that made the server did not learn that its Machine was gone. It left the
// server behind.

const thinking = 5;

const member = aMachine(originalSite, { name: 'blue-cp-1', isControlPlane: true });
const worker = aMachine(originalSite, {
  name: 'blue-worker-1',
  server: { ...newServer, madeAt: 1_000 },
  annotations: { [thinksSeconds]: String(thinking) },
});

const blueprint = {
  ...emptyDraft(),
  clusters: [aCluster(originalSite)],
  machines: [member, worker],
};

const scenario = scenarioOf({
  blueprint,
  world: { workloads: ['blue'], instances: 1, config: {}, latencyMilliseconds: 5, allMinutes: 1 },
  calmAt: 30_000,
});

const { resource, namespace, name } = worker;
const named = { metadata: { namespace, name } };

const tornAway: Fault = {
  name: 'the one of this story',
  about:
    'While its server is being made somebody takes a Machine away, and nobody can look at what became of it right then.',
  strike({ world: { management, meddlers, scheduler } }) {
    let failsUntil = 0;
    meddlers.onProvider(({ operation }) => {
      if (operation !== 'create') return undefined;
      failsUntil = scheduler.now() + 1_000 * (thinking + 2);
      scheduler.after(1_000, () => {
        management.remove(resource, named);
        management.patch(resource, named, { metadata: { finalizers: null } });
      });
      return undefined;
    });
    meddlers.onRequest(({ verb, name: asked }) =>
      verb === 'get' && asked === name && scheduler.now() < failsUntil ? { lost: 'before' } : undefined,
    );
    return undefined;
  },
};

test('a server that was made for a Machine which was taken away meanwhile is not left', async () => {
  const asked: string[] = [];
  const { violations } = await simulate(1, {
    faults: [tornAway],
    always: true,
    scenario: () => scenario,
    observers: [
      () => ({
        provider: ({ operation, machine }) => machine.metadata.name === name && asked.push(operation),
      }),
    ],
  });
  expect(violations).toEqual([]);
  expect(asked.slice(0, 3)).toEqual(['exists', 'create', 'delete']);
});
