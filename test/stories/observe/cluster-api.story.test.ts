import type { BesideFleet } from '../stage/beside/fleet.ts';
import { resources } from '../stage/fleet.ts';
import { besidePeer } from '../stage/story.ts';
import { watching } from '../stage/watching.ts';

const { story } = besidePeer;
const group = 'observe/cluster-api';
const moveTraffic = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/move-traffic';
const keepDisks = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/keep-disks';

const goes = async (fleet: BesideFleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
  await fleet.seconds(25);
};

story(group, 'a deletion that ends by itself', {
  ...watching,
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pod('web', 'node-1');
  },
  plot: goes,
});

story(group, 'a budget that blocks for a while', {
  ...watching,
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.replicas('web', 5, 'node-1');
    fleet.pod('cache', 'node-1');
    fleet.budget('web', { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(130);
    fleet.told.say('somebody lets the budget allow all');
    fleet.server.cluster.patch(
      'poddisruptionbudgets.policy',
      { metadata: { name: 'web', namespace: 'shop' } },
      { spec: { maxUnavailable: 5 } },
    );
    await fleet.gone('worker-1');
    await fleet.seconds(25);
  },
});

story(group, 'a drain that its controller gives up', {
  ...watching,
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', { spec: { deletion: { nodeDrainTimeoutSeconds: 90 } } });
    fleet.replicas('web', 2, 'node-1');
    fleet.budget('web', { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } });
  },
  plot: goes,
});

story(group, 'hooks of others, and Events that were asked for', {
  env: { PHASEOUT_MODE: 'observe', PHASEOUT_OBSERVE_EVENTS: 'true' },
  scene(fleet) {
    fleet.cluster();
    const annotations = { [moveTraffic]: 'shop-operator', [keepDisks]: '' };
    fleet.worker('worker-1', { metadata: { annotations } });
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.annotate('worker-1', { [moveTraffic]: null });
    await fleet.seconds(60);
    fleet.annotate('worker-1', { [keepDisks]: null });
    await fleet.gone('worker-1');
    await fleet.seconds(25);
  },
});

story(group, 'a paused Machine', {
  ...watching,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(5);
    fleet.told.say('the Machine is paused');
    fleet.change(resources.machines, 'worker-1', {
      metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } },
    });
    await fleet.seconds(100);
    fleet.change(resources.machines, 'worker-1', {
      metadata: { annotations: { 'cluster.x-k8s.io/paused': null } },
    });
    await fleet.gone('worker-1');
    await fleet.seconds(25);
  },
});
