import { type BesideOpenShiftFleet, etcd } from '../stage/beside/openshift-fleet.ts';
import { besideOpenShift } from '../stage/story.ts';
import { watching } from '../stage/watching.ts';

const { story } = besideOpenShift;
const group = 'observe/openshift';

function aWorkerBehindABudget(fleet: BesideOpenShiftFleet): void {
  fleet.machineThatRuns('worker-1');
  fleet.replicas('web', 2, 'node-1');
  fleet.pod('cache', 'node-1');
  fleet.budget('web', { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } });
}

const ends = async (fleet: BesideOpenShiftFleet, name = 'worker-1'): Promise<void> => {
  await fleet.gone(name);
  await fleet.seconds(25);
};

story(group, 'a deletion that ends by itself', {
  ...watching,
  thorough: true,
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await ends(fleet);
  },
});

story(group, 'a budget that blocks for a while', {
  ...watching,
  thorough: true,
  scene: aWorkerBehindABudget,
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('somebody takes the budget away');
    fleet.server.cluster.remove('poddisruptionbudgets.policy', {
      metadata: { name: 'web', namespace: 'shop' },
    });
    await ends(fleet);
  },
});

story(group, 'a drain that somebody gives up', {
  ...watching,
  scene: aWorkerBehindABudget,
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.annotate('worker-1', { 'machine.openshift.io/exclude-node-draining': '' });
    await ends(fleet);
  },
});

story(group, 'the hook of the operator of etcd', {
  ...watching,
  scene(fleet) {
    fleet.controlPlane({ preDrain: [etcd] });
    fleet.pod('api', 'master-1');
  },
  async plot(fleet) {
    fleet.delete('master-1');
    await fleet.seconds(100);
    fleet.takesOff('master-1', etcd);
    await ends(fleet, 'master-1');
  },
});

story(group, 'hooks of others after the drain, and Events that were asked for', {
  env: { PHASEOUT_MODE: 'observe', PHASEOUT_OBSERVE_EVENTS: 'true' },
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { preTerminate: [{ name: 'Backup', owner: 'backup-controller' }] });
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.setHooks('worker-1', 'preTerminate', []);
    await ends(fleet);
  },
});

story(group, 'a second control plane Node waits until the first one is gone', {
  ...watching,
  scene(fleet) {
    fleet.controlPlane();
    fleet.pod('slow', 'master-1', { grace: 100, stopSeconds: 70 });
    fleet.pod('api', 'master-2');
  },
  async plot(fleet) {
    fleet.delete('master-1');
    await fleet.seconds(5);
    fleet.delete('master-2');
    await fleet.gone('master-1');
    await ends(fleet, 'master-2');
  },
});
