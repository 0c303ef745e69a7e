import type { BesideFleet } from '../stage/beside/fleet.ts';
import { hookDefinitions } from '../stage/hook-definitions.ts';
import { besidePeer } from '../stage/story.ts';

const { story } = besidePeer;
const group = 'beside/hook-functions';
const beside = hookDefinitions;
const preDrain = 'pre-drain.delete.hook.machine.cluster.x-k8s.io';
const excluded = 'machine.cluster.x-k8s.io/exclude-node-draining';

const done = { state: 'Done', message: 'all moved' } as const;

function aHeldWorker(fleet: BesideFleet, annotations: Record<string, string> = {}): void {
  fleet.cluster();
  fleet.held('worker-1', { metadata: { annotations } });
  fleet.pod('web', 'node-1');
  fleet.deletionHook('move-data', { at: 'PreDrain' });
  fleet.hookFunctions.serve('move-data', ({ attempt }) => (attempt < 2 ? { state: 'Working' } : done));
}

const goes = async (fleet: BesideFleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

story(group, 'a function is asked under our hook, before the cordon', {
  beside,
  thorough: true,
  scene: (fleet) => aHeldWorker(fleet),
  plot: goes,
});

story(group, 'a function is asked after the hooks of others', {
  beside,
  scene: (fleet) => aHeldWorker(fleet, { [`${preDrain}/backup`]: 'x' }),
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(50);
    fleet.annotate('worker-1', { [`${preDrain}/backup`]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'a Machine that is excluded from drains is let go once its function is done', {
  beside,
  scene: (fleet) => aHeldWorker(fleet, { [excluded]: '' }),
  plot: goes,
});

story(group, 'a Cluster that is being deleted passes hooks over, as its own controller does', {
  beside,
  scene(fleet) {
    aHeldWorker(fleet);
    fleet.change('clusters.cluster.x-k8s.io', 'blue', { metadata: { finalizers: ['x.example/keep'] } });
  },
  async plot(fleet) {
    const metadata = { name: 'blue', namespace: 'fleet' };
    fleet.server.cluster.remove('clusters.cluster.x-k8s.io', { metadata });
    await goes(fleet);
  },
});

story(group, 'all instances are replaced in mid-turn', {
  beside,
  scene: (fleet) => aHeldWorker(fleet),
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(10);
    fleet.told.say('all instances are replaced');
    fleet.restart();
    await fleet.gone('worker-1');
  },
});
