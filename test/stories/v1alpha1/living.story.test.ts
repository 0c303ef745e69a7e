import { recordAt } from '../../../shared/dialects/fields.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { original } from '../stage/story.ts';
import { machines, type OriginalFleet } from '../stage/v1alpha1.ts';

const { story } = original;
const group = 'v1alpha1/living';

const comes = (fleet: OriginalFleet): void => {
  fleet.told.say('somebody makes worker-1');
  fleet.create(machines, fleet.newMachine('worker-1'));
};

const hasServer = (fleet: OriginalFleet): boolean => fleet.serverState('worker-1') === 'running';
const hasAddress = (fleet: OriginalFleet): boolean =>
  JSON.stringify(fleet.machine('worker-1')?.['status'] ?? {}).includes('InternalIP');

const isServed = (fleet: OriginalFleet): Promise<void> =>
  fleet.until('worker-1 has a server and an address', () => hasServer(fleet) && hasAddress(fleet));

story(group, 'a new Machine gets its finalizers, its owner and its server', {
  thorough: true,
  scene: (fleet) => fleet.cluster(),
  async plot(fleet) {
    comes(fleet);
    await isServed(fleet);
    await fleet.seconds(200);
  },
});

story(group, 'a new Machine of no cluster', {
  async plot(fleet) {
    fleet.told.say('somebody makes worker-1');
    fleet.create(machines, fleet.newMachine('worker-1', { cluster: null }));
    await isServed(fleet);
  },
  scene: () => undefined,
});

story(group, 'a new Machine whose Cluster is missing, until it comes', {
  scene: () => undefined,
  async plot(fleet) {
    comes(fleet);
    await fleet.seconds(200);
    fleet.told.say('the Cluster comes');
    fleet.cluster('blue', 0);
    await isServed(fleet);
  },
});

story(group, 'a Machine of a MachineSet keeps its owner', {
  without: ['garbage-collector'],
  scene: (fleet) => fleet.cluster(),
  async plot(fleet) {
    const owner = { apiVersion: 'cluster.k8s.io/v1alpha1', kind: 'MachineSet', name: 'workers', uid: 'u' };
    const machine = fleet.newMachine('worker-1');
    const metadata = { ...machine.metadata, ownerReferences: [{ ...owner, controller: true }] };
    fleet.told.say('a MachineSet makes worker-1');
    fleet.create(machines, { ...machine, metadata });
    await isServed(fleet);
  },
});

story(group, 'a create that fails twice, and is asked for time once', {
  scene: (fleet) => fleet.cluster(),
  async plot(fleet) {
    let asked = 0;
    fleet.provider.answers({
      create() {
        asked += 1;
        if (asked === 3) return { kind: 'retry', afterSeconds: 17, message: 'the image is being copied' };
        if (asked > 3) return undefined;
        return { kind: 'failed', reason: 'InsufficientResources', message: 'the zone is full' };
      },
    });
    comes(fleet);
    await isServed(fleet);
  },
});

const region = (machine: KubeObject): unknown => recordAt(machine, 'spec', 'providerSpec', 'value')['region'];

story(group, 'a configuration that is mended', {
  scene: (fleet) => fleet.cluster(),
  async plot(fleet) {
    fleet.provider.answers({
      create: ({ machine }) =>
        region(machine) === 'moon'
          ? { kind: 'failed', reason: 'InvalidConfiguration', message: 'unknown region "moon"' }
          : undefined,
    });
    fleet.told.say('somebody makes worker-1 on the moon');
    const machine = fleet.newMachine('worker-1');
    const providerSpec = { value: { region: 'moon' } };
    fleet.create(machines, { ...machine, spec: { ...machine.spec, providerSpec } });
    await fleet.seconds(100);
    fleet.told.say('somebody mends it');
    fleet.change(machines, 'worker-1', { spec: { providerSpec: { value: { region: 'earth' } } } });
    await isServed(fleet);
  },
});

story(group, 'nothing is made while nobody knows whether it exists', {
  thorough: true,
  scene: (fleet) => fleet.cluster(),
  async plot(fleet) {
    const end = fleet.provider.answers({ exists: () => 'unreachable' });
    comes(fleet);
    await fleet.seconds(100);
    fleet.told.say('the provider is well again');
    end();
    await isServed(fleet);
  },
});

story(group, 'an update that fails for a while', {
  scene(fleet) {
    fleet.cluster();
    fleet.machineThatRuns('worker-1');
  },
  async plot(fleet) {
    const end = fleet.provider.answers({
      update: ({ machine }) =>
        machine.metadata.name === 'worker-1'
          ? { kind: 'failed', reason: 'UpdateError', message: 'the disk cannot grow' }
          : undefined,
    });
    fleet.change(machines, 'worker-1', { spec: { providerSpec: { value: { size: 'large' } } } });
    await fleet.seconds(200);
    fleet.told.say('the provider is well again');
    end();
    await fleet.seconds(300);
  },
});

story(group, 'a Machine whose deletion begins while its server is made', {
  thorough: true,
  scene: (fleet) => fleet.cluster(),
  async plot(fleet) {
    comes(fleet);
    await fleet.until('its server is being made', () => fleet.serverState('worker-1') === 'creating');
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});
