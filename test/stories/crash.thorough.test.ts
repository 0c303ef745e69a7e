import { describe, expect, it } from 'vitest';
import type { BesideFleet, BesideParts } from './stage/beside/fleet.ts';
import type { ClusterStage } from './stage/cluster-stage.ts';
import type { Conditions } from './stage/conditions.ts';
import type { Fleet } from './stage/fleet.ts';
import { policyDefinitions } from './stage/hook-definitions.ts';
import type { OpenShiftFleet, OpenShiftParts } from './stage/openshift.ts';
import {
  besidePeer,
  openShift,
  original,
  type Played,
  play,
  type Story,
  type StoryOf,
} from './stage/story.ts';
import type { OriginalFleet, OriginalParts } from './stage/v1alpha1.ts';

type OpenShiftStory = StoryOf<OpenShiftFleet, OpenShiftParts>;
type BesideStory = StoryOf<BesideFleet, BesideParts>;
type OriginalStory = StoryOf<OriginalFleet, OriginalParts>;

const failingOnce = { 'local.phaseout.dev/provider-fails': 'delete=DeleteError:1' };

const plain: Story = {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pods('web', 3, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
};

const rich: Story = {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    const pods = [{ selector: { matchLabels: { wave: 'late' } } }];
    fleet.rule('late', { drain: { behavior: 'Drain', order: 10 }, pods });
    fleet.replicas('web', 3, 'node-1');
    fleet.node('node-2');
    fleet.budget('web', { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } });
    fleet.volume('data');
    fleet.pod('database', 'node-1', { claim: 'data', labels: { wave: 'late' }, order: 10 });
  },
  plot: (fleet) => plain.plot(fleet),
};

/** A pass over both hook points, a refused answer of the provider and a slow server. */
const ofOpenShift: OpenShiftStory = {
  scene(fleet) {
    fleet.controlPlane();
    fleet.machineThatRuns('worker-1', {
      preDrain: [{ name: 'Migrate', owner: 'somebody' }],
      preTerminate: [{ name: 'Backup', owner: 'somebody' }],
      metadata: { annotations: failingOnce },
    });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(65);
    fleet.setHooks('worker-1', 'preDrain', []);
    await fleet.seconds(65);
    fleet.setHooks('worker-1', 'preTerminate', []);
    await fleet.gone('worker-1');
  },
};

const ofAControlPlane: OpenShiftStory = {
  scene(fleet) {
    fleet.controlPlane();
    fleet.pod('api', 'master-1');
  },
  async plot(fleet) {
    for (const name of ['master-1', 'master-2']) fleet.delete(name);
    for (const name of ['master-1', 'master-2']) await fleet.gone(name);
  },
};

const ofV1Alpha1: OriginalStory = {
  scene(fleet) {
    fleet.cluster();
    fleet.machineThatRuns('worker-1', { metadata: { annotations: failingOnce } });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
};

const aLivingOne: OriginalStory = {
  scene: (fleet) => fleet.cluster(),
  async plot(fleet) {
    fleet.create('machines.cluster.k8s.io', fleet.newMachine('worker-1'));
    await fleet.until('its server runs', () => fleet.serverState('worker-1') === 'running');
    await fleet.seconds(120);
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
};

const besideThePeer: BesideStory = {
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1', { spec: { deletion: { nodeDrainTimeoutSeconds: 45 } } });
    fleet.volume('data');
    fleet.pod('database', 'node-1', { claim: 'data', grace: 200, stopSeconds: 100 });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
};

const two = ['worker-1', 'worker-2'];

/** Two Machines, and a place for one of them in each of two policies. */
const oneByOne = <F extends ClusterStage>(put: (fleet: F, name: string) => void) => ({
  beside: policyDefinitions,
  scene(fleet: F) {
    for (const name of two) put(fleet, name);
    for (const name of ['all', 'workers']) fleet.drainPolicy(name, { maxUnavailable: 1 });
    fleet.limitsBegun(1);
  },
  async plot(fleet: F) {
    for (const name of two) fleet.delete(name);
    for (const name of two) await fleet.gone(name);
  },
});

type Play = (conditions: Conditions) => Promise<Played>;

/** A play under some conditions, and the end and the number of requests of the undisturbed one. */
interface Told {
  play: Play;
  undisturbed: () => Promise<{ end: unknown; count: number }>;
}

/** Each with its own stage. */
const plays: [string, Play][] = [
  ['in a plain deletion', (conditions) => play(plain, conditions)],
  ['with orders, a budget and a volume', (conditions) => play(rich, conditions)],
  ["beside Cluster API's own controller", (conditions) => besidePeer.play(besideThePeer, conditions)],
  ["of OpenShift's, with hooks and a provider that fails", (one) => openShift.play(ofOpenShift, one)],
  ['of two control plane Machines', (conditions) => openShift.play(ofAControlPlane, conditions)],
  [
    'with DrainPolicies',
    (conditions) =>
      play(
        oneByOne((fleet: Fleet, name) => {
          if (name === 'worker-1') fleet.cluster();
          fleet.worker(name);
        }),
        conditions,
      ),
  ],
  [
    "with DrainPolicies, beside Cluster API's own controller",
    (conditions) =>
      besidePeer.play(
        oneByOne((fleet: BesideFleet, name) => {
          if (name === 'worker-1') fleet.cluster();
          fleet.held(name);
        }),
        conditions,
      ),
  ],
  [
    "of OpenShift's, with DrainPolicies",
    (conditions) =>
      openShift.play(
        oneByOne((fleet: OpenShiftFleet, name) => fleet.machineThatRuns(name)),
        conditions,
      ),
  ],
  ['of v1alpha1', (conditions) => original.play(ofV1Alpha1, conditions)],
  ['of v1alpha1, from its first day on', (conditions) => original.play(aLivingOne, conditions)],
];

/** Every block compares with the same undisturbed play, so that is played once. */
const stories = plays.map(([name, one]): [string, Told] => {
  let undisturbed: ReturnType<typeof requestsOf> | undefined;
  return [name, { play: one, undisturbed: () => (undisturbed ??= requestsOf(one)) }];
});

async function requestsOf(told: Play): Promise<{ end: unknown; count: number }> {
  const { end, requests } = await told({});
  return { end, count: Object.values(requests).reduce((sum, count) => sum + count, 0) };
}

/** The request was done, and its sender never learns of it. */
describe('an instance that dies after any one of its requests does no harm', { timeout: 60_000 }, () => {
  it.each(stories)('%s', async (_name, told) => {
    const { end, count } = await told.undisturbed();
    for (let request = 1; request <= count; request += 1) {
      const died = await told.play({ diesAfterRequest: request });
      expect({ request, end: died.end }).toStrictEqual({ request, end });
    }
  });
  it.each(stories)('%s, with the store down', async (_name, told) => {
    const { end, count } = await told.undisturbed();
    for (let request = 1; request <= count; request += 2) {
      const died = await told.play({ diesAfterRequest: request, storeIsDown: true, wakeUps: false });
      expect({ request, end: died.end }).toStrictEqual({ request, end });
    }
  });
});
