import { memberOn } from '../../../infra/local/controllers/machines/etcd-quorum.ts';
import { recordAt } from '../../../shared/dialects/fields.ts';
import { controlPlaneMachineSet } from '../stage/beside/control-plane-machine-set.ts';
import { etcdGuards } from '../stage/beside/etcd-guards.ts';
import { type BesideOpenShiftFleet, etcd } from '../stage/beside/openshift-fleet.ts';
import { startOwn } from '../stage/beside/own-controller.ts';
import type { StageParts } from '../stage/stage.ts';
import { besideOpenShift } from '../stage/story.ts';

const { story } = besideOpenShift;
const group = 'beside-openshift/control-plane';
const env = { PHASEOUT_BESIDE_CONTROL_PLANES: 'true' };
const also: StageParts['also'] = ['openshift-machines', 'openshift-node-links', 'servers', 'etcd-quorum'];
const larger = {
  value: { apiVersion: 'machine.openshift.io/v1beta1', kind: 'LocalMachineProviderConfig', size: 'l' },
};

function threeMasters(fleet: BesideOpenShiftFleet): void {
  fleet.create('namespaces', { metadata: { name: 'openshift-etcd' } });
  for (const number of [1, 2, 3]) {
    fleet.held(`master-${number}`, { role: 'master', preDrain: [etcd] });
    fleet.pod(`api-${number}`, `master-${number}`, { stopSeconds: 10 });
  }
}

const masters = (fleet: BesideOpenShiftFleet): string[] =>
  fleet.server.cluster.list('machines.machine.openshift.io').map(({ metadata }) => metadata.name);

function tellMasters(fleet: BesideOpenShiftFleet): void {
  const each = masters(fleet).map((name) => `${name} with ${fleet.hooks(name).join(', ')}`);
  fleet.told.say(`there are ${each.join('; ')}`);
}

story(
  group,
  'a ControlPlaneMachineSet replaces its Machines, the lowest index first, and each waits for the one before',
  {
    env,
    also,
    thorough: true,
    scene: threeMasters,
    async plot(fleet) {
      await fleet.seconds(5);
      fleet.told.say('the ControlPlaneMachineSet wants larger ones');
      startOwn(fleet, controlPlaneMachineSet(larger));
      for (const number of [1, 2, 3]) await fleet.gone(`master-${number}`);
      await fleet.until('the last one has our hook', () =>
        masters(fleet).every((name) => fleet.isHeld(name)),
      );
      tellMasters(fleet);
    },
  },
);

story(
  group,
  'somebody deletes two Machines of a ControlPlaneMachineSet: the second waits for its own replacement',
  {
    env,
    also,
    scene: threeMasters,
    async plot(fleet) {
      await fleet.seconds(5);
      startOwn(fleet, controlPlaneMachineSet(recordAt(fleet.machine('master-1'), 'spec', 'providerSpec')));
      fleet.delete('master-3');
      fleet.delete('master-2');
      for (const name of ['master-2', 'master-3']) await fleet.gone(name);
      await fleet.until('the last one has our hook', () =>
        masters(fleet).every((name) => fleet.isHeld(name)),
      );
      tellMasters(fleet);
    },
  },
);

function tellOfGuards({ server: { cluster }, told }: BesideOpenShiftFleet): void {
  cluster.watch('pods', ({ type, object: { metadata } }) => {
    if (metadata.labels?.['app'] !== 'guard') return;
    if (type === 'ADDED') told.say(`etcd's operator makes ${metadata.name}`);
    if (type === 'DELETED') told.say(`${metadata.name} is gone`);
  });
}

const hasGuard = ({ server }: BesideOpenShiftFleet): boolean =>
  server.cluster.get('pods', 'openshift-etcd', 'etcd-guard-master-1') !== undefined;

const cordon = ({ server }: BesideOpenShiftFleet, name: string, unschedulable: true | null): void =>
  void server.cluster.patch('nodes', { metadata: { name } }, { spec: { unschedulable } });

/** Masters with members of etcd and their guards; that of master-2 is not ready. */
function guardedMasters(fleet: BesideOpenShiftFleet): void {
  fleet.create('namespaces', { metadata: { name: 'openshift-etcd' } });
  for (const number of [1, 2, 3]) {
    const name = `master-${number}`;
    fleet.held(name, { role: 'master', preDrain: [etcd] });
    const node = fleet.server.cluster.get('nodes', undefined, name);
    if (node !== undefined) fleet.create('pods', memberOn(node, number === 2 ? 100_000 : 0));
  }
  startOwn(fleet, etcdGuards);
  tellOfGuards(fleet);
}

story(group, 'the guard of etcd goes once the Node is cordoned, whatever the budget says, and not before', {
  env,
  thorough: true,
  scene(fleet) {
    guardedMasters(fleet);
    fleet.pod('api', 'master-1', { stopSeconds: 10 });
  },
  async plot(fleet) {
    fleet.told.say('somebody cordons master-3 for a while');
    cordon(fleet, 'master-3', true);
    fleet.delete('master-1');
    await fleet.seconds(20);
    fleet.takesOff('master-1', etcd);
    await fleet.seconds(100);
    fleet.told.say(`the guard of etcd is there: ${hasGuard(fleet)}`);
    fleet.told.say('master-3 takes Pods again');
    cordon(fleet, 'master-3', null);
    await fleet.gone('master-1');
  },
});

story(
  group,
  'somebody uncordons in mid-drain: the guard of etcd is there again, and goes with the next cordon',
  {
    env,
    thorough: true,
    scene(fleet) {
      guardedMasters(fleet);
      fleet.pod('api', 'master-1', { grace: 200, stopSeconds: 90 });
    },
    async plot(fleet) {
      fleet.delete('master-1');
      fleet.takesOff('master-1', etcd);
      await fleet.seconds(30);
      fleet.told.say('somebody uncordons master-1');
      cordon(fleet, 'master-1', null);
      await fleet.seconds(30);
      fleet.told.say(`the guard of etcd is there: ${hasGuard(fleet)}`);
      await fleet.gone('master-1');
    },
  },
);
