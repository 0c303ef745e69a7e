import type { BesideFleet } from '../stage/beside/fleet.ts';
import { resources } from '../stage/fleet.ts';
import { besidePeer } from '../stage/story.ts';

const { story } = besidePeer;
const group = 'beside/limits';

const goes = async (fleet: BesideFleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

story(group, 'the limit of the drain is spent once', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1', { spec: { deletion: { nodeDrainTimeoutSeconds: 45 } } });
    fleet.pod('stuck', 'node-1', { neverStops: true });
    fleet.pod('web', 'node-1');
  },
  plot: goes,
});

story(group, 'the limit of the wait for volumes is spent once', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1', { spec: { deletion: { nodeVolumeDetachTimeoutSeconds: 45 } } });
    fleet.volume('data');
    fleet.pod('database', 'node-1', { claim: 'data' });
  },
  without: ['volume-attachment'],
  async plot(fleet) {
    fleet.attach('data', 'node-1');
    await goes(fleet);
  },
});

story(group, 'a drain that was given up waits for the disk all the same', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1', { spec: { deletion: { nodeDrainTimeoutSeconds: 45 } } });
    fleet.volume('data');
    fleet.pod('database', 'node-1', { claim: 'data', grace: 200, stopSeconds: 100 });
  },
  plot: goes,
});

story(group, 'a drain and a wait for a disk that are both given up', {
  scene(fleet) {
    fleet.cluster();
    const deletion = { nodeDrainTimeoutSeconds: 30, nodeVolumeDetachTimeoutSeconds: 45 };
    fleet.held('worker-1', { spec: { deletion } });
    fleet.volume('data');
    fleet.pod('database', 'node-1', { claim: 'data', neverStops: true });
  },
  plot: goes,
});

story(group, 'completed Pods under WaitCompleted', {
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1');
    const labels = { 'cluster.x-k8s.io/drain': 'wait-completed' };
    const annotations = { 'local.phaseout.dev/run-seconds': '33' };
    fleet.pod('job', 'node-1', { labels, annotations, stays: true });
    fleet.pod('web', 'node-1');
  },
  plot: goes,
});

story(group, 'the limits are over, and the hook cannot be taken off for a while', {
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1', { spec: { deletion: { nodeDrainTimeoutSeconds: 30 } } });
    fleet.pod('stuck', 'node-1', { grace: 600, stopSeconds: 200 });
  },
  async plot(fleet) {
    const end = fleet.keepsHook();
    fleet.delete('worker-1');
    await fleet.seconds(90);
    fleet.told.say('somebody takes the limit off');
    fleet.change(resources.machines, 'worker-1', { spec: { deletion: { nodeDrainTimeoutSeconds: null } } });
    fleet.told.say('it is permitted again');
    end();
    await fleet.gone('worker-1');
  },
});
