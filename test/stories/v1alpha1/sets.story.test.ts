import type { StageParts } from '../stage/stage.ts';
import { original } from '../stage/story.ts';
import type { OriginalFleet } from '../stage/v1alpha1.ts';

const { story } = original;
const group = 'v1alpha1/sets';
const also: StageParts['also'] = ['machine-sets', 'v1alpha1-node-links', 'servers'];

function aSetOfTwo(fleet: OriginalFleet, deletePolicy?: string): void {
  fleet.cluster();
  const metadata = {
    ...fleet.machineSet('workers', { replicas: 2, ...(deletePolicy && { deletePolicy }) }),
    labels: { set: 'workers' },
  };
  for (const number of [1, 2]) fleet.machineThatRuns(`worker-${number}`, { metadata });
}

function scale(fleet: OriginalFleet, replicas: number): void {
  fleet.told.say(`the set is scaled to ${replicas}`);
  fleet.change('machinesets.cluster.k8s.io', 'workers', { spec: { replicas } });
}

story(group, 'a Machine of a set is replaced at once', {
  also,
  thorough: true,
  scene: (fleet) => aSetOfTwo(fleet),
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
    await fleet.seconds(100);
    fleet.told.say(`alive: ${fleet.alive().join(', ')}`);
  },
});

story(group, 'a Machine that is marked goes first when its set is scaled down', {
  also,
  scene: (fleet) => aSetOfTwo(fleet),
  async plot(fleet) {
    fleet.annotate('worker-2', { 'cluster.k8s.io/delete-machine': 'yes' });
    await fleet.seconds(100);
    scale(fleet, 1);
    await fleet.gone('worker-2');
    fleet.told.say(`alive: ${fleet.alive().join(', ')}`);
  },
});

story(group, 'the newest Machine goes first where the policy says so', {
  also,
  scene: (fleet) => aSetOfTwo(fleet, 'Newest'),
  async plot(fleet) {
    await fleet.seconds(1_000);
    fleet.delete('worker-2');
    await fleet.gone('worker-2');
    await fleet.seconds(100);
    const newest = fleet.alive().find((name) => name.startsWith('workers-')) ?? '';
    scale(fleet, 1);
    await fleet.gone(newest);
    fleet.told.say(`alive: ${fleet.alive().join(', ')}`);
  },
});
