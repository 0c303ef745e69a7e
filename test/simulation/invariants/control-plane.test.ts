import { expect, test } from 'vitest';
import type { MachinePlan } from '../scenario/model.ts';
import { cordon, nodeOf } from './asked.ts';
import { controlPlaneOneAtATime } from './control-plane-one-at-a-time.ts';
import { cordonsHoldTheLease } from './cordons-hold-the-lease.ts';
import type { Invariant } from './invariant.ts';
import { openStage, type Stage } from './stage.ts';

const resource = 'machines.machine.openshift.io';
const master = { 'node-role.kubernetes.io/master': '' };

const plans: MachinePlan[] = ['master-1', 'master-2'].map((name) => ({
  api: 'openshift',
  resource,
  namespace: 'openshift-machine-api',
  name,
  host: 'blue',
  node: name.replace('master', 'node'),
}));

/** Two Machines of OpenShift, whose Nodes carry these labels. */
async function open(
  labels: Record<string, string>,
  invariant: Invariant = controlPlaneOneAtATime,
): Promise<Stage> {
  const stage = await openStage(invariant, { machines: plans });
  const { management } = stage.world;
  management.create('namespaces', { metadata: { name: 'openshift-machine-api' } });
  for (const { namespace, name } of plans)
    management.create(resource, {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'Machine',
      metadata: { namespace, name },
      spec: {},
    });
  for (const name of ['node-1', 'node-2'])
    stage.world.cluster('blue').patch('nodes', nodeOf(stage, name), { metadata: { labels } });
  await stage.pass(10);
  return stage;
}

function cordonBoth(stage: Stage): void {
  for (const name of ['node-1', 'node-2']) {
    const asked = cordon(nodeOf(stage, name));
    const patch = { spec: { unschedulable: true } };
    stage.ask(asked, () => void stage.world.cluster('blue').patch('nodes', nodeOf(stage, name), patch));
  }
}

test.each([
  ['of the control plane', master, ['instance-1 cordons Node node-2 in blue: Node node-1 is cordoned']],
  ['of workers', {}, []],
])('control plane Nodes of OpenShift are cordoned one at a time: two %s', async (_whose, labels, cries) => {
  const stage = await open(labels);
  cordonBoth(stage);
  expect(stage.cries).toEqual(cries);
});

test('a Node that somebody else has cordoned holds nobody up', async () => {
  const stage = await open(master);
  stage.world.cluster('blue').patch('nodes', nodeOf(stage, 'node-1'), { spec: { unschedulable: true } });
  stage.ask(cordon(nodeOf(stage, 'node-2')));
  expect(stage.cries).toEqual([]);
});

const hold = (holderIdentity: string) => (stage: Stage) =>
  void stage.world.cluster('blue').create('leases.coordination.k8s.io', {
    metadata: { namespace: 'default', name: 'phaseout-control-plane-cordon' },
    spec: { holderIdentity },
  });
const cordonItself = (stage: Stage): void =>
  void stage.world.cluster('blue').patch('nodes', nodeOf(stage, 'node-1'), { spec: { unschedulable: true } });

test.each<[string, Record<string, string>, (stage: Stage) => void, string[]]>([
  [
    'nobody',
    master,
    () => undefined,
    ['instance-1 cordons Node node-1 in blue: the Lease is held by nobody'],
  ],
  [
    'another instance',
    master,
    hold('instance-12/master-1'),
    ['instance-1 cordons Node node-1 in blue: the Lease is held by instance-12/master-1'],
  ],
  ['the one that cordons', master, hold('instance-1/master-1'), []],
  ['nobody, and the Node is of a worker', {}, () => undefined, []],
  ['nobody, and the Node is cordoned', master, cordonItself, []],
])('a Node is cordoned while this one holds the Lease: %s', async (_who, labels, before, cries) => {
  const stage = await open(labels, cordonsHoldTheLease);
  before(stage);
  await stage.pass(10);
  stage.ask(cordon(nodeOf(stage, 'node-1')));
  expect(stage.cries).toEqual(cries);
});

const jump = ({ world }: Stage): void => {
  const { name, strand } = world.startInstance();
  strand.skew(600_000);
  world.say('an instance', `the clock of ${name} jumps`);
};

test.each([
  ['holds the Lease', cordonsHoldTheLease],
  ['sees that another one is cordoned', controlPlaneOneAtATime],
])('by a clock that is ahead a Lease may be taken away from whoever %s', async (_what, invariant) => {
  const stage = await open(master, invariant);
  jump(stage);
  cordonBoth(stage);
  expect(stage.cries).toEqual([]);
});
