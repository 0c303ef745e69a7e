import { afterEach, describe, expect, it } from 'vitest';
import { conditionOf } from '../../../../../infra/local/controllers/machinery/objects.ts';
import type { KubeObject } from '../../../../../infra/local/kubernetes/objects/cluster.ts';
import type { Cloud } from '../../../../../infra/local/provider/cloud.ts';
import type { Actuator } from '../../../../../shared/actuator/port.ts';
import { anActuator } from '../../../../builders/actuator.ts';
import type { Platform } from '../platform.ts';
import { aFleet, aLoadedNode, anOpenShiftMachine, openShiftFinalizer } from './fleet.ts';

const machines = 'machines.machine.openshift.io';

let platform: Platform;
afterEach(() => platform.stop());

interface NewMachine {
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  spec?: Record<string, unknown>;
}

/** A Machine as somebody makes it, with nothing behind it yet. */
const aNewMachine = ({
  labels,
  annotations,
  finalizers = [openShiftFinalizer],
  spec,
}: NewMachine = {}): KubeObject => ({
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'Machine',
  metadata: {
    name: 'new',
    namespace: 'default',
    finalizers,
    ...(labels && { labels }),
    ...(annotations && { annotations }),
  },
  spec: { providerSpec: { value: {} }, ...spec },
});

const theMachine = (name = 'new') => platform.get(machines, name)!;
const saysOfOld = (type: string) => conditionOf(theMachine('old').status?.conditions, type);
const role = 'machine.openshift.io/cluster-api-machine-role';

/** A provider that announces none of its servers. */
const silent = (actuator: Actuator): Cloud => ({
  ...actuator,
  servers: () => [],
  adopt: () => undefined,
  onChange: () => () => undefined,
  close: () => undefined,
});

async function after(seconds: number, machine: NewMachine = {}) {
  platform = aFleet({ withCloud: true });
  platform.create(machines, aNewMachine(machine));
  await platform.seconds(seconds);
}

describe('a new Machine of OpenShift', () => {
  it('is provisioned by the cloud, and running once its Node has joined', async () => {
    await after(1);
    const { uid = '' } = theMachine().metadata;
    expect(theMachine()).toMatchObject({
      spec: { providerID: `local:///${uid}` },
      status: { phase: 'Provisioning' },
    });
    await platform.seconds(1.1);
    expect(theMachine().status).toMatchObject({
      phase: 'Running',
      nodeRef: { kind: 'Node', name: 'new', uid: platform.node('new').metadata.uid },
      addresses: [{ type: 'InternalIP' }, { type: 'Hostname', address: 'new' }],
      providerStatus: { instanceState: 'running' },
      conditions: [
        { type: 'Drainable', status: 'True' },
        { type: 'InstanceExists', status: 'True' },
        { type: 'Terminable', status: 'True' },
      ],
    });
    expect(platform.node('new')).toMatchObject({
      metadata: { annotations: { 'machine.openshift.io/machine': 'default/new' } },
      spec: { providerID: `local:///${uid}` },
    });
  });

  it.each([
    ['worker', ['node-role.kubernetes.io/worker'], []],
    [
      'master',
      ['node-role.kubernetes.io/master', 'node-role.kubernetes.io/control-plane'],
      [{ key: 'node-role.kubernetes.io/master', effect: 'NoSchedule' }],
    ],
  ])('gives its Node the role of a %s', async (name, labels, taints) => {
    await after(3, { labels: { [role]: name } });
    const { metadata, spec } = platform.node('new');
    const roles = Object.keys(metadata.labels ?? {}).filter((label) => label.startsWith('node-role'));
    expect(roles).toEqual(labels);
    expect(spec?.taints ?? []).toEqual(taints);
  });

  it('gives its Node the labels and taints that it asks for', async () => {
    const taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' };
    await after(3, { spec: { metadata: { labels: { disk: 'ssd' } }, taints: [taint] } });
    expect(platform.node('new')).toMatchObject({
      metadata: { labels: { disk: 'ssd' } },
      spec: { taints: [taint] },
    });
  });

  it('gets no server before it is held by its finalizer', async () => {
    await after(60, { finalizers: [] });
    expect(platform.cloud().servers()).toEqual([]);
    platform.patch(machines, 'new', { metadata: { finalizers: [openShiftFinalizer] } });
    await platform.seconds(3);
    expect(theMachine().status?.phase).toBe('Running');
  });

  it('fails for good when the provider says that its configuration is wrong', async () => {
    const fails = { 'local.phaseout.dev/provider-fails': 'create=InvalidConfiguration' };
    await after(60, { annotations: fails });
    expect(theMachine().status).toMatchObject({ phase: 'Failed', errorReason: 'InvalidConfiguration' });
    expect(platform.list('nodes')).toEqual([]);
  });

  it.each([
    'create=InsufficientResources:2',
    'create=retry/2:2',
    'exists=failed:1',
    'exists=InvalidConfiguration:1',
    'update=InvalidConfiguration:1',
  ])('is made in the end in spite of %s', async (failures) => {
    await after(30, { annotations: { 'local.phaseout.dev/provider-fails': failures } });
    expect(theMachine().status?.phase).toBe('Running');
  });

  it('is asked for until it has an address where the provider tells nobody, and no longer', async () => {
    const providerID = 'aws:///a/i-1';
    const addresses = [{ type: 'InternalIP', address: '10.0.0.7' }];
    const made = { providerID };
    const reports = [made, made, made, { providerID, addresses }];
    const updates: string[] = [];
    const cloud = silent({
      ...anActuator({ exists: [{ kind: 'absent' }, { kind: 'exists' }] }),
      async update({ machine }) {
        updates.push(machine.metadata.name);
        return { kind: 'done', report: reports[updates.length - 1] ?? {} };
      },
    });
    platform = aFleet({ cloud });
    platform.create(machines, aNewMachine());
    await platform.seconds(6);
    expect(theMachine().status?.phase).toBe('Provisioning');
    await platform.seconds(60);
    expect(theMachine().status).toMatchObject({ phase: 'Provisioned', addresses });
    expect(updates).toHaveLength(4);
  });

  it('is left alone once it is being deleted', async () => {
    await after(1);
    platform.remove(machines, 'new');
    const before = theMachine();
    await platform.seconds(60);
    expect(theMachine().status?.phase).toBe('Provisioning');
    expect(theMachine().metadata.finalizers).toEqual(before.metadata.finalizers);
    expect(theMachine().spec).toEqual(before.spec);
  });
});

describe('a Machine of OpenShift that was there before', () => {
  it('keeps its server, its Node and what is said of it', async () => {
    const status = {
      phase: 'Running',
      nodeRef: { kind: 'Node', name: 'old', uid: 'uid-node-old' },
      addresses: [{ type: 'InternalIP', address: '10.0.0.7' }],
      providerStatus: { instanceId: 'i-7', instanceState: 'running' },
    };
    platform = aFleet({
      loaded: [anOpenShiftMachine('old', { status }), aLoadedNode('old')],
      withCloud: true,
    });
    await platform.seconds(60);
    expect(platform.cloud().servers()).toMatchObject([{ providerId: 'local:///old', state: 'running' }]);
    expect(theMachine('old').status).toMatchObject(status);
    expect(platform.list('nodes')).toHaveLength(1);
  });

  it('is known to have a server when all it has is a Node', async () => {
    platform = aFleet({
      loaded: [anOpenShiftMachine('old', { spec: { providerID: undefined } }), aLoadedNode('old')],
      withCloud: true,
    });
    await platform.seconds(1);
    expect(platform.cloud().servers()).toMatchObject([{ machine: { name: 'old' }, state: 'running' }]);
  });

  it('has its Node fall silent when the server is gone, and not before', async () => {
    platform = aFleet({
      loaded: [anOpenShiftMachine('old'), aLoadedNode('old')],
      withCloud: true,
      nodeUnknownSeconds: 1,
    });
    await platform.seconds(1);
    platform.remove(machines, 'old');
    await platform.cloud().delete({ machine: theMachine('old'), cluster: undefined });
    const ready = () => platform.node('old').status!.conditions!.find(({ type }) => type === 'Ready')!.status;
    await platform.seconds(2.9);
    expect(ready()).toBe('True');
    await platform.seconds(0.2);
    expect(ready()).toBe('Unknown');
  });

  it('fails when its server has disappeared', async () => {
    platform = aFleet({ loaded: [anOpenShiftMachine('old'), aLoadedNode('old')], withCloud: true });
    await platform.seconds(1);
    await platform.cloud().delete({ machine: theMachine('old'), cluster: undefined });
    await platform.seconds(60);
    expect(theMachine('old').status).toMatchObject({
      phase: 'Failed',
      errorMessage: "can't find created instance",
    });
    expect(saysOfOld('InstanceExists')).toMatchObject({ status: 'False', reason: 'InstanceMissing' });
  });

  it('tells in advance which hooks would hold its deletion', async () => {
    const preDrain = [
      { name: 'backup', owner: 'ops' },
      { name: 'move', owner: 'app' },
    ];
    platform = aFleet({ loaded: [anOpenShiftMachine('old'), aLoadedNode('old')], withCloud: true });
    await platform.seconds(1);
    expect(saysOfOld('Drainable')?.status).toBe('True');
    const preTerminate = [{ name: 'disks', owner: 'storage' }];
    platform.patch(machines, 'old', { spec: { lifecycleHooks: { preDrain, preTerminate } } });
    await platform.seconds(1);
    expect(saysOfOld('Terminable')).toMatchObject({
      status: 'False',
      message: 'Terminate operation currently blocked by: [{Name:disks Owner:storage}]',
    });
    expect(saysOfOld('Drainable')).toMatchObject({
      status: 'False',
      severity: 'Warning',
      reason: 'HookPresent',
      message: 'Drain operation currently blocked by: [{Name:backup Owner:ops} {Name:move Owner:app}]',
    });
  });

  it('finds its Node by the provider id', async () => {
    const old = anOpenShiftMachine('old', { status: { phase: 'Provisioned' } });
    const node = aLoadedNode('elsewhere', { spec: { providerID: 'local:///old' } });
    platform = aFleet({ loaded: [old, node], withCloud: true });
    await platform.seconds(1);
    expect(theMachine('old').status).toMatchObject({
      phase: 'Running',
      nodeRef: { kind: 'Node', name: 'elsewhere', uid: 'uid-node-elsewhere' },
    });
  });

  it('finds its Node although it is linked to another server’s', async () => {
    const status = { phase: 'Running', nodeRef: { kind: 'Node', name: 'wrong' } };
    const own = aLoadedNode('right', { spec: { providerID: 'local:///old' } });
    const wrong = aLoadedNode('wrong', { spec: { providerID: 'local:///other' } });
    platform = aFleet({ loaded: [anOpenShiftMachine('old', { status }), own, wrong] });
    await platform.seconds(1);
    expect(theMachine('old').status?.nodeRef).toMatchObject({ name: 'right' });
  });

  it('finds none while two Machines claim the same server', async () => {
    const fields = { spec: { providerID: 'local:///n' }, status: { phase: 'Provisioned' } };
    platform = aFleet({
      loaded: [anOpenShiftMachine('one', fields), anOpenShiftMachine('other', fields), aLoadedNode('n')],
    });
    await platform.seconds(1);
    expect(theMachine('one').status?.nodeRef).toBeUndefined();
  });

  it('is found by a Node that reports late, even while it is being deleted', async () => {
    const deleting = anOpenShiftMachine('old', {
      status: { phase: 'Deleting' },
      deletionTimestamp: '2025-12-31T00:00:00Z',
    });
    platform = aFleet({ loaded: [deleting] });
    await platform.seconds(1);
    platform.addNode('old', { providerID: 'local:///old' });
    await platform.seconds(1);
    expect(theMachine('old').status).toMatchObject({ phase: 'Deleting', nodeRef: { name: 'old' } });
  });
});

/** A provider of somebody else's that has the server, unless said otherwise. */
function withProvider(machine: KubeObject, answers: Partial<Actuator> = {}) {
  const actuator = anActuator();
  platform = aFleet({ loaded: [machine], cloud: silent({ ...actuator, ...answers }) });
  return actuator.asked;
}

describe('what a Machine of OpenShift is told', () => {
  it('says that it is being made before the provider is asked to', async () => {
    const phases: unknown[] = [];
    withProvider(aNewMachine(), {
      exists: async () => ({ kind: 'absent' }),
      async create() {
        phases.push(theMachine().status?.phase);
        return { kind: 'done', report: {} };
      },
    });
    await platform.seconds(1);
    expect(phases).toEqual(['Provisioning']);
  });

  it('comes when the provider has asked for time, and not before', async () => {
    let asked = 0;
    withProvider(anOpenShiftMachine('old'), {
      async exists() {
        asked += 1;
        return { kind: 'retry', afterSeconds: 60, message: 'busy' };
      },
    });
    await platform.seconds(59);
    expect(asked).toBe(1);
    await platform.seconds(2);
    expect(asked).toBe(2);
  });

  it('is the providerID as the provider has it by now', async () => {
    withProvider(anOpenShiftMachine('old'), {
      update: async () => ({ kind: 'done', report: { providerID: 'local:///zone/old' } }),
    });
    await platform.seconds(1);
    expect(theMachine('old').spec?.providerID).toBe('local:///zone/old');
  });

  it('is nothing more once it has failed', async () => {
    const asked = withProvider(anOpenShiftMachine('old', { status: { phase: 'Failed' } }));
    await platform.seconds(60);
    expect(asked).toEqual([]);
  });

  it('is written down once, and not again at each look', async () => {
    const addresses = [{ type: 'InternalIP', address: '10.0.0.7' }];
    const asked = withProvider(anOpenShiftMachine('old'), {
      update: async () => ({ kind: 'done', report: { addresses } }),
    });
    await platform.seconds(1);
    const { lastUpdated } = theMachine('old').status ?? {};
    await platform.seconds(60);
    platform.patch(machines, 'old', { spec: { taints: [] } });
    await platform.seconds(1);
    expect(asked.length).toBeGreaterThan(1);
    expect(theMachine('old').status?.lastUpdated).toBe(lastUpdated);
  });

  it('is not what was meant for an older one of its name', async () => {
    const { promise, resolve } = Promise.withResolvers<{ kind: 'exists' }>();
    const never = new Promise<{ kind: 'exists' }>(() => undefined);
    const answers = [promise];
    withProvider(aNewMachine(), {
      exists: () => answers.shift() ?? never,
      update: async () => ({ kind: 'done', report: { providerID: 'local:///old' } }),
    });
    await platform.seconds(1);
    platform.patch(machines, 'new', { metadata: { finalizers: null } });
    platform.remove(machines, 'new');
    platform.create(machines, aNewMachine());
    resolve({ kind: 'exists' });
    await platform.seconds(1);
    expect(theMachine().spec?.providerID).toBeUndefined();
  });
});

const readyOf = (name: string) => conditionOf(platform.node(name).status?.conditions, 'Ready')?.status;

describe('the Node of a Machine of OpenShift', () => {
  it('is the one that has its name already', async () => {
    platform = aFleet({ withCloud: true });
    platform.addNode('new', { ready: 'False' });
    platform.create(machines, aNewMachine());
    await platform.seconds(5);
    expect(platform.cloud().servers()).toMatchObject([{ state: 'running' }]);
    expect(readyOf('new')).toBe('False');
  });

  it('does not come of a server that was begun for an older Machine of its name', async () => {
    await after(1);
    platform.patch(machines, 'new', { metadata: { finalizers: null } });
    platform.remove(machines, 'new');
    platform.create(machines, aNewMachine({ finalizers: [] }));
    await platform.seconds(5);
    expect(platform.cloud().servers()).toMatchObject([{ state: 'running' }]);
    expect(platform.list('nodes')).toEqual([]);
  });

  it('is none that is on its way out', async () => {
    const { metadata, ...node } = aLoadedNode('old');
    const leaving = { finalizers: ['example.com/kept'], deletionTimestamp: '2025-12-31T00:00:00Z' };
    const machine = anOpenShiftMachine('old', { status: { phase: 'Provisioned' } });
    platform = aFleet({ loaded: [machine, { ...node, metadata: { ...metadata, ...leaving } }] });
    await platform.seconds(1);
    expect(theMachine('old').status?.nodeRef).toBeUndefined();
  });

  it('is known by its UID when it was made anew', async () => {
    platform = aFleet({ loaded: [anOpenShiftMachine('old'), aLoadedNode('old')] });
    await platform.seconds(1);
    platform.remove('nodes', 'old', '');
    platform.addNode('old', { providerID: 'local:///old' });
    await platform.seconds(1);
    expect(theMachine('old').status?.nodeRef).toMatchObject({ uid: platform.node('old').metadata.uid });
  });
});

describe('two Nodes that both claim a server', () => {
  it('do not take turns: the Machine keeps the one it has', async () => {
    await after(3);
    const { spec } = platform.node('new');
    const linked = theMachine().status?.nodeRef;
    platform.create('nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a-double' }, spec });
    await platform.seconds(3);
    expect(theMachine().status?.nodeRef).toEqual(linked);
  });
});
