import { machines, type OpenShiftFleet } from '../stage/openshift.ts';
import type { StageParts } from '../stage/stage.ts';
import { openShift } from '../stage/story.ts';

const { story } = openShift;
const group = 'openshift/sets';
const also: StageParts['also'] = ['machine-sets', 'openshift-machines', 'openshift-node-links', 'servers'];
const mark = 'machine.openshift.io/delete-machine';

function aSetOfThree(fleet: OpenShiftFleet, deletePolicy?: string): void {
  const metadata = fleet.machineSet('workers', { replicas: 3, ...(deletePolicy && { deletePolicy }) });
  for (const number of [1, 2, 3]) fleet.machineThatRuns(`worker-${number}`, { metadata });
}

function scale(fleet: OpenShiftFleet, replicas: number): void {
  fleet.told.say(`the set is scaled to ${replicas}`);
  fleet.change('machinesets.machine.openshift.io', 'workers', { spec: { replicas } });
}

story(group, 'a Machine of a set is replaced at once', {
  also,
  thorough: true,
  scene(fleet) {
    aSetOfThree(fleet);
    fleet.pod('slow', 'node-1', { stopSeconds: 60 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(10);
    fleet.told.say(`alive: ${fleet.alive().join(', ')}`);
    await fleet.gone('worker-1');
  },
});

story(group, 'a Machine that is marked goes first when its set is scaled down', {
  also,
  scene: (fleet) => aSetOfThree(fleet),
  async plot(fleet) {
    fleet.change(machines, 'worker-1', { metadata: { annotations: { [mark]: '' } } });
    fleet.annotate('worker-2', { [mark]: 'yes' });
    await fleet.seconds(100);
    scale(fleet, 2);
    await fleet.gone('worker-2');
    fleet.told.say(`alive: ${fleet.alive().join(', ')}`);
  },
});

story(group, 'the newest Machine goes first where the policy says so', {
  also,
  scene: (fleet) => aSetOfThree(fleet, 'Newest'),
  async plot(fleet) {
    await fleet.seconds(1_000);
    fleet.delete('worker-3');
    await fleet.gone('worker-3');
    await fleet.seconds(100);
    const newest = fleet.alive().find((name) => name.startsWith('workers-')) ?? '';
    scale(fleet, 2);
    await fleet.gone(newest);
    fleet.told.say(`alive: ${fleet.alive().join(', ')}`);
  },
});

const readyMembers = (fleet: OpenShiftFleet): string[] =>
  fleet.server.cluster
    .list('pods')
    .filter(
      ({ metadata }) => metadata.namespace === 'openshift-etcd' && metadata.deletionTimestamp === undefined,
    )
    .filter((pod) => JSON.stringify(pod['status'] ?? {}).includes('"type":"Ready","status":"True"'))
    .map(({ metadata }) => metadata.name);

story(group, 'the operator of etcd lets a control plane Machine go when a fourth member has joined', {
  also: [...also, 'etcd-quorum'],
  thorough: true,
  hasPolicy: true,
  scene(fleet) {
    fleet.create('namespaces', { metadata: { name: 'openshift-etcd' } });
    const metadata = fleet.machineSet('masters', { role: 'master', replicas: 3 });
    fleet.controlPlane({ metadata });
  },
  async plot(fleet) {
    await fleet.seconds(100);
    fleet.delete('master-1');
    const { cluster } = fleet.server;
    await fleet.until('master-1 is cordoned', () => {
      const node = cluster.get('nodes', undefined, 'master-1');
      return JSON.stringify(node?.['spec']).includes('"unschedulable":true');
    });
    fleet.told.say(`ready members of etcd: ${readyMembers(fleet).length}`);
    await fleet.gone('master-1');
    fleet.told.say(`ready members of etcd: ${readyMembers(fleet).length}`);
  },
});
