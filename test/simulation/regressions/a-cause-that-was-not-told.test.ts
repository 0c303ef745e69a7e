import { expect, test } from 'vitest';
import type { Fault } from '../faults/fault.ts';
import type { Blueprint, ClusterBlueprint } from '../scenario/blueprint.ts';
import { aMachine, aNode, aPod, emptyDraft } from '../scenario/draw/draft.ts';
import { blueSite } from '../scenario/draw/usual-sites.ts';
import type { Scenario } from '../scenario/model.ts';
import { scenarioOf } from '../scenario/plan.ts';
import { simulate } from '../simulate.ts';

// An Event that could not be written kept the cause from users for good: later looks had nothing new to tell.

const place = { host: 'blue', node: 'node-1' };
type Api = ClusterBlueprint['api'];

/** A worker with a Pod is deleted a second after the beginning; `more` is what holds it. */
function held(api: Api, more: (cluster: ClusterBlueprint) => Partial<Blueprint>): Scenario {
  const site = { ...blueSite, api };
  const member = aMachine(site, { name: 'blue-cp-1', isControlPlane: true });
  const worker = aMachine(site, {
    name: 'blue-worker-1',
    node: 'node-1',
    annotations: { 'machine.cluster.x-k8s.io/exclude-node-draining': '' },
    deletedAt: [1_000],
  });
  const cluster = { api, namespace: 'fleet', name: 'blue', host: 'blue', controlPlane: undefined };
  const blueprint: Blueprint = {
    ...emptyDraft(),
    machines: [member, worker],
    nodes: [aNode({ ...place, name: 'node-1', providerID: worker.providerID })],
    pods: [aPod(place, { name: 'app', claims: ['data'] })],
    volumes: [{ host: 'blue', namespace: 'shop', name: 'data', stuckOn: undefined }],
    ...more({ ...cluster, isPaused: false }),
  };
  return scenarioOf({
    blueprint,
    world: { workloads: ['blue'], instances: 1, config: {}, latencyMilliseconds: 5, allMinutes: 1 },
    calmAt: 30_000,
  });
}

const eventsLost: Fault = {
  name: 'the one of this story',
  about: 'No Event can be written until the calm.',
  strike({ world }) {
    world.meddlers.onRequest(({ resource }) => {
      if (resource !== 'events') return undefined;
      world.hit(this.name);
      return { lost: 'before' };
    });
    return undefined;
  },
};

const selector = { matchExpressions: [{ key: 'a', operator: 'Nope' }] };
const rule = { namespace: 'fleet', name: 'odd', spec: { drain: { behavior: 'Skip' }, pods: [{ selector }] } };

const cases: Record<string, Scenario> = {
  'no Cluster, in v1alpha1': held('v1alpha1', () => ({})),
  'a rule that makes no sense, while volumes are waited for in Cluster API': held('capi', (cluster) => ({
    clusters: [cluster],
    rules: [rule],
  })),
};

test.each(Object.entries(cases))('a Machine says what holds it: %s', async (_what, scenario) => {
  const lost = new Set<string>();
  let stoodStill = 0;
  const { violations } = await simulate(1, {
    faults: [eventsLost],
    always: true,
    scenario: () => scenario,
    observers: [() => ({ hit: (fault) => void lost.add(fault), stoodStill: () => void (stoodStill += 1) })],
  });
  expect({ violations, lost: [...lost], stoodStill }).toEqual({
    violations: [],
    lost: [eventsLost.name],
    stoodStill: 1,
  });
});
