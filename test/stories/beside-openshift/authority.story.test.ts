import type { BesideOpenShiftFleet } from '../stage/beside/openshift-fleet.ts';
import { hookDefinitions } from '../stage/hook-definitions.ts';
import { besideOpenShift } from '../stage/story.ts';

const { story } = besideOpenShift;
const group = 'beside-openshift/authority';
const here = { spec: { authoritativeAPI: 'MachineAPI' }, status: { authoritativeAPI: 'MachineAPI' } };
const elsewhere = { spec: { authoritativeAPI: 'ClusterAPI' }, status: { authoritativeAPI: 'ClusterAPI' } };

const slow = (fleet: BesideOpenShiftFleet): void =>
  void fleet.pod('slow', 'node-1', { grace: 200, stopSeconds: 60 });

story(group, 'a living Machine that Cluster API rules gets no hook of ours', {
  scene: () => undefined,
  async plot(fleet) {
    fleet.machineThatRuns('worker-1', elsewhere);
    await fleet.seconds(400);
    fleet.told.say(`our hook is on it: ${fleet.isHeld('worker-1')}`);
    fleet.ruledBy('worker-1', 'MachineAPI');
    fleet.change('machines.machine.openshift.io', 'worker-1', { spec: { authoritativeAPI: 'MachineAPI' } });
    await fleet.until('the hook is on', () => fleet.isHeld('worker-1'));
  },
});

story(group, 'the authority moves away before the deletion: nothing is done', {
  scene(fleet) {
    fleet.held('worker-1', here);
    slow(fleet);
  },
  async plot(fleet) {
    fleet.ruledBy('worker-1', 'Migrating');
    fleet.ruledBy('worker-1', 'ClusterAPI');
    await fleet.seconds(10);
    fleet.delete('worker-1');
    await fleet.seconds(400);
    fleet.ruledBy('worker-1', 'MachineAPI');
    await fleet.gone('worker-1');
  },
});

story(group, 'the authority moves away in mid-drain, and comes back', {
  thorough: true,
  scene(fleet) {
    fleet.held('worker-1', here);
    slow(fleet);
    fleet.pod('web', 'node-1', { grace: 300, stopSeconds: 200 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(20);
    fleet.ruledBy('worker-1', 'Migrating');
    await fleet.seconds(100);
    fleet.ruledBy('worker-1', 'ClusterAPI');
    await fleet.seconds(300);
    fleet.ruledBy('worker-1', 'MachineAPI');
    await fleet.gone('worker-1');
  },
});

story(group, 'the spec asks for another authority: the drain is done, and not marked', {
  hasRules: true,
  scene(fleet) {
    fleet.held('worker-1', { ...here, spec: { authoritativeAPI: 'ClusterAPI' } });
    fleet.pod('web', 'node-1');
    fleet.pod('agent', 'node-1', { labels: { 'cluster.x-k8s.io/drain': 'skip' } });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});

story(
  group,
  'the authority moves away while a function is asked before the end of the server, and comes back',
  {
    beside: hookDefinitions,
    scene(fleet) {
      fleet.heldToTheEnd('worker-1', here);
      fleet.pod('web', 'node-1');
      fleet.deletionHook('wipe', { at: 'PreTerminate' });
      fleet.hookFunctions.serve('wipe', ({ attempt }) => ({ state: attempt < 3 ? 'Working' : 'Done' }));
    },
    async plot(fleet) {
      fleet.delete('worker-1');
      await fleet.seconds(20);
      fleet.ruledBy('worker-1', 'Migrating');
      await fleet.seconds(100);
      fleet.ruledBy('worker-1', 'ClusterAPI');
      await fleet.seconds(300);
      fleet.ruledBy('worker-1', 'MachineAPI');
      await fleet.gone('worker-1');
    },
  },
);
