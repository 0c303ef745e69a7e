import type { Fleet } from './stage/fleet.ts';
import { story } from './stage/story.ts';

const group = 'sets';

/** A set with all its Machines. One of them goes. */
function aSetOfTwo(fleet: Fleet, order: string): void {
  fleet.cluster();
  const { ownerReferences = [] } = fleet.machineSet('workers', { replicas: 2, deletion: { order } });
  const metadata = { ownerReferences, labels: { set: 'workers' } };
  fleet.worker('worker-1', { metadata });
  fleet.worker('worker-2', { metadata });
}

function scale(fleet: Fleet): void {
  fleet.told.say('the set is scaled to 1');
  fleet.change('machinesets.cluster.x-k8s.io', 'workers', { spec: { replicas: 1 } });
}

story(group, 'a Machine that is marked goes first when its set is scaled down', {
  also: ['machine-sets'],
  scene: (fleet) => aSetOfTwo(fleet, 'Random'),
  async plot(fleet) {
    fleet.annotate('worker-1', { 'cluster.x-k8s.io/delete-machine': '' });
    await fleet.seconds(100);
    scale(fleet);
    await fleet.gone('worker-1');
    fleet.told.say(`alive: ${fleet.alive().join(', ')}`);
  },
});

story(group, 'the oldest Machine goes first where the order says so', {
  also: ['machine-sets'],
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
  },
  async plot(fleet) {
    await fleet.seconds(1_000);
    const { ownerReferences = [] } = fleet.machineSet('workers', {
      replicas: 2,
      deletion: { order: 'Oldest' },
    });
    const metadata = { ownerReferences, labels: { set: 'workers' } };
    fleet.change('machines.cluster.x-k8s.io', 'worker-1', { metadata });
    fleet.worker('worker-2', { metadata });
    await fleet.seconds(100);
    scale(fleet);
    await fleet.gone('worker-1');
    fleet.told.say(`alive: ${fleet.alive().join(', ')}`);
  },
});
