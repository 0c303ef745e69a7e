import { expect, test } from 'vitest';
import type { Fault } from '../faults/fault.ts';
import type { Blueprint } from '../scenario/blueprint.ts';
import { aPod, type Site } from '../scenario/draw/draft.ts';
import { blueSite, originalSite } from '../scenario/draw/usual-sites.ts';
import type { Scenario } from '../scenario/model.ts';
import { simulate } from '../simulate.ts';
import { oneWorker } from './one-worker.ts';

// A refused Event hid the cause from users for good: later looks had nothing new to report.

const place = { host: 'blue', node: 'node-1' };
/** A worker with a Pod is deleted; `also` is what holds it. */
const held = (site: Site, also: Partial<Blueprint>): Scenario =>
  oneWorker({
    site,
    worker: { annotations: { 'machine.cluster.x-k8s.io/exclude-node-draining': '' } },
    also: {
      pods: [aPod(place, { name: 'app', claims: ['data'] })],
      volumes: [{ host: 'blue', namespace: 'shop', name: 'data', stuckOn: undefined }],
      ...also,
    },
    world: { allMinutes: 1 },
    calmAt: 30_000,
  });

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
  'no Cluster, in v1alpha1': held(originalSite, { clusters: [] }),
  'a rule that makes no sense, while volumes are waited for in Cluster API': held(blueSite, {
    rules: [rule],
  }),
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
