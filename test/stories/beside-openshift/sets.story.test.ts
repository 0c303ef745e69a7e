import { type BesideOpenShiftFleet, namespace } from '../stage/beside/openshift-fleet.ts';
import { machines } from '../stage/openshift.ts';
import type { StageParts } from '../stage/stage.ts';
import { besideOpenShift } from '../stage/story.ts';

const { story } = besideOpenShift;
const group = 'beside-openshift/sets';
const also: StageParts['also'] = ['machine-sets', 'openshift-machines', 'openshift-node-links', 'servers'];
const sets = 'machinesets.machine.openshift.io';

function aSetOfTwo(fleet: BesideOpenShiftFleet): void {
  const metadata = fleet.machineSet('workers', { replicas: 2 });
  for (const number of [1, 2]) fleet.held(`worker-${number}`, { metadata });
}

const isHeldEach = (fleet: BesideOpenShiftFleet): boolean =>
  fleet.server.cluster.list(machines).every(({ metadata }) => fleet.isHeld(metadata.name));

story(group, 'a set replaces a Machine that we hold, and we hold the new one', {
  also,
  scene(fleet) {
    aSetOfTwo(fleet);
    fleet.pod('slow', 'node-1', { stopSeconds: 30 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
    await fleet.until('all have our hook', () => isHeldEach(fleet));
  },
});

story(group, 'the template of a set has our hook: new Machines have it from their first version on', {
  also,
  scene(fleet) {
    aSetOfTwo(fleet);
    const preDrain = [{ name: 'phaseout', owner: 'phaseout.dev' }];
    fleet.change(sets, 'workers', { spec: { template: { spec: { lifecycleHooks: { preDrain } } } } });
  },
  async plot(fleet) {
    fleet.change(sets, 'workers', { spec: { replicas: 3 } });
    await fleet.seconds(1);
    fleet.told.say(`all have our hook: ${isHeldEach(fleet)}`);
    await fleet.seconds(60);
    fleet.change(sets, 'workers', { spec: { replicas: 0 } });
    await fleet.until('all are gone', () => fleet.server.cluster.list(machines).length === 0);
  },
});

story(group, 'a MachineHealthCheck deletes a Machine whose Node is silent', {
  also: [...also, 'health-checks'],
  scene(fleet) {
    aSetOfTwo(fleet);
    fleet.pod('web', 'node-1');
    fleet.create('machinehealthchecks.machine.openshift.io', {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'MachineHealthCheck',
      metadata: { name: 'workers', namespace },
      spec: {
        selector: { matchLabels: { 'machine.openshift.io/cluster-api-machine-role': 'worker' } },
        unhealthyConditions: [{ type: 'Ready', status: 'Unknown', timeout: '30s' }],
        maxUnhealthy: '50%',
      },
    });
  },
  async plot(fleet) {
    fleet.told.say('node-1 is not heard of any more');
    fleet.silence('node-1');
    await fleet.gone('worker-1');
  },
});
