import type { OpenShiftFleet } from '../stage/openshift.ts';
import { machines } from '../stage/openshift.ts';
import { openShift } from '../stage/story.ts';

const { story } = openShift;
const group = 'openshift/deletion';
const clusterLabel = 'machine.openshift.io/cluster-api-cluster';

const goes = async (fleet: OpenShiftFleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

function aWorkerWithPods(fleet: OpenShiftFleet): void {
  fleet.machineThatRuns('worker-1');
  fleet.pods('web', 2, 'node-1');
}

story(group, 'a worker with Pods', { thorough: true, scene: aWorkerWithPods, plot: goes });

story(group, 'finalizers of others', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { metadata: { finalizers: ['example.com/audit'] } });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(400);
    fleet.told.say('the other finalizer goes');
    fleet.change(machines, 'worker-1', { metadata: { finalizers: null } });
    await fleet.gone('worker-1');
  },
});

story(group, 'a Machine without the label of its cluster', {
  thorough: true,
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { metadata: { labels: { team: 'web' } } });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(150);
    fleet.told.say('somebody labels it');
    fleet.change(machines, 'worker-1', { metadata: { labels: { [clusterLabel]: 'shop-x7k2p' } } });
    await fleet.gone('worker-1');
  },
});

story(group, 'a Machine without a providerSpec', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { spec: { providerSpec: { value: null } } });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(150);
    fleet.told.say('somebody says what it was made of');
    fleet.change(machines, 'worker-1', { spec: { providerSpec: { value: { size: 'small' } } } });
    await fleet.gone('worker-1');
  },
});

story(group, 'a Machine that had failed', {
  scene(fleet) {
    const errorMessage = 'the zone has no room for it';
    fleet.machineThatRuns('worker-1', {
      status: { phase: 'Failed', errorReason: 'InsufficientResources', errorMessage },
    });
  },
  plot: goes,
});

story(group, 'a Machine that Cluster API has authority over', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1', {
      spec: { authoritativeAPI: 'ClusterAPI' },
      status: { authoritativeAPI: 'ClusterAPI' },
    });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(150);
    fleet.told.say('authority comes back');
    fleet.change(machines, 'worker-1', { spec: { authoritativeAPI: 'MachineAPI' } });
    fleet.change(machines, 'worker-1', { status: { authoritativeAPI: 'MachineAPI' } }, 'status');
    await fleet.gone('worker-1');
  },
});

story(group, 'authority that is taken away in mid-drain and comes back', {
  thorough: true,
  scene(fleet) {
    const authoritativeAPI = 'MachineAPI';
    fleet.machineThatRuns('worker-1', { spec: { authoritativeAPI }, status: { authoritativeAPI } });
    fleet.pods('web', 2, 'node-1', { stopSeconds: 40 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(10);
    fleet.told.say('it is migrated');
    fleet.change(machines, 'worker-1', { status: { authoritativeAPI: 'Migrating' } }, 'status');
    await fleet.seconds(150);
    fleet.told.say('it is not migrated after all');
    fleet.change(machines, 'worker-1', { status: { authoritativeAPI: 'MachineAPI' } }, 'status');
    await fleet.gone('worker-1');
  },
});

story(group, 'authority that only the spec tells of yet', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { spec: { authoritativeAPI: 'MachineAPI' } });
  },
  plot: goes,
});

story(group, 'a Machine that comes again under the same name', {
  scene: aWorkerWithPods,
  async plot(fleet) {
    await goes(fleet);
    fleet.told.say('somebody makes worker-1 anew');
    fleet.machineThatRuns('worker-1');
    fleet.pod('web', 'node-1', { stays: true });
    await fleet.seconds(100);
  },
});
