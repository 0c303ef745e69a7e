import { afterEach, describe, expect, it } from 'vitest';
import { runningStatus } from '../../../../../infra/local/controllers/machines/cluster-api-machines.ts';
import type { KubeObject } from '../../../../../infra/local/kubernetes/objects/cluster.ts';
import type { Platform } from '../platform.ts';
import { aClusterApiMachine, aClusterApiSet, aFleet, templates } from './fleet.ts';

const machines = 'machines.cluster.x-k8s.io';
const infrastructures = 'localmachines.infrastructure.cluster.x-k8s.io';
const configs = 'localconfigs.bootstrap.cluster.x-k8s.io';

let platform: Platform;

const aSet = () => aClusterApiSet('set', { spec: { replicas: 1 } });
const theMachine = () => platform.list(machines)[0]!;

describe('a replacement in Cluster API', () => {
  afterEach(() => platform.stop());

  it('has infrastructure and a bootstrap configuration of its own name, made from their templates', async () => {
    platform = aFleet({ loaded: [...templates, aSet()] });
    await platform.seconds(0.1);
    const { name, uid, labels } = theMachine().metadata;
    expect(labels).toEqual({
      role: 'worker',
      'cluster.x-k8s.io/cluster-name': 'blue',
      'cluster.x-k8s.io/set-name': 'set',
    });
    expect(theMachine().spec).toMatchObject({
      version: 'v1.36.2',
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'LocalMachine', name },
      bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'LocalConfig', name } },
    });
    expect(platform.get(infrastructures, name)).toMatchObject({
      kind: 'LocalMachine',
      metadata: {
        annotations: {
          'cluster.x-k8s.io/cloned-from-name': 'workers',
          'cluster.x-k8s.io/cloned-from-groupkind': 'LocalMachineTemplate.infrastructure.cluster.x-k8s.io',
        },
        finalizers: ['machine.infrastructure.local.phaseout.dev'],
        ownerReferences: [{ kind: 'Machine', name, uid, controller: true }],
      },
      spec: { size: 'large' },
    });
    expect(platform.get(configs, name)).toMatchObject({
      metadata: { ownerReferences: [{ kind: 'Machine', name, uid }] },
      spec: { files: [] },
    });
  });

  it('has the labels of its templates, but for those that say whose it is', async () => {
    const [servers, ...others] = templates;
    const own = { disk: 'ssd', 'cluster.x-k8s.io/cluster-name': 'red' };
    const template = { metadata: { labels: own }, spec: { size: 'large' } };
    platform = aFleet({ loaded: [{ ...servers!, spec: { template } }, ...others, aSet()] });
    await platform.seconds(0.1);
    expect(platform.get(infrastructures, theMachine().metadata.name)?.metadata.labels).toMatchObject({
      disk: 'ssd',
      'cluster.x-k8s.io/cluster-name': 'blue',
    });
  });

  it('runs after a short while, with a Node', async () => {
    platform = aFleet({ loaded: [...templates, aSet()], serverStartSeconds: 2 });
    await platform.seconds(1.9);
    expect(platform.list('nodes')).toEqual([]);
    await platform.seconds(0.2);
    const { name } = theMachine().metadata;
    expect(platform.node(name)).toMatchObject({
      spec: { providerID: `local://${name}` },
      metadata: { annotations: { 'cluster.x-k8s.io/machine': name } },
    });
    expect(platform.get(infrastructures, name)?.['spec']).toMatchObject({ providerID: `local://${name}` });
    const machine = theMachine();
    expect(machine.spec).toMatchObject({
      providerID: `local://${name}`,
      bootstrap: { dataSecretName: name },
    });
    expect(machine.status).toMatchObject({
      phase: 'Running',
      nodeRef: { name },
      initialization: { bootstrapDataSecretCreated: true, infrastructureProvisioned: true },
    });
    expect(machine.status).toMatchObject({ observedGeneration: machine.metadata.generation });
    const conditions = machine.status!.conditions!.map(({ type, status, reason }) => [type, status, reason]);
    expect(conditions).toEqual([
      ['Available', 'True', 'Available'],
      ['Ready', 'True', 'Ready'],
      ['BootstrapConfigReady', 'True', 'Ready'],
      ['InfrastructureReady', 'True', 'Ready'],
      ['NodeHealthy', 'True', 'NodeHealthy'],
      ['NodeReady', 'True', 'NodeReady'],
      ['Updating', 'False', 'NotUpdating'],
      ['Paused', 'False', 'NotPaused'],
      ['Deleting', 'False', 'NotDeleting'],
    ]);
  });

  it('never joins when it is deleted before that', async () => {
    platform = aFleet({ loaded: [...templates, aSet()], serverStartSeconds: 2 });
    await platform.seconds(1);
    const { name } = theMachine().metadata;
    platform.patch(machines, name, { metadata: { finalizers: ['machine.cluster.x-k8s.io'] } });
    platform.remove(machines, name);
    await platform.seconds(60);
    expect(platform.get(machines, name)!.status?.nodeRef).toBeUndefined();
    expect(platform.list('nodes').map((node) => node.metadata.name)).not.toContain(name);
  });

  it('takes Pods, and falls silent when its infrastructure is gone', async () => {
    platform = aFleet({ loaded: [...templates, aSet()] });
    await platform.seconds(3);
    const { name } = theMachine().metadata;
    platform.addPod('web');
    await platform.seconds(1);
    expect(platform.pod('web')).toMatchObject({ spec: { nodeName: name }, status: { phase: 'Running' } });
    platform.remove(infrastructures, name);
    await platform.seconds(3);
    const ready = platform.node(name).status!.conditions!.find(({ type }) => type === 'Ready');
    expect(ready?.status).toBe('Unknown');
  });

  it('is the only kind of Machine that starts: what was loaded stays as it was', async () => {
    const infrastructure: KubeObject = {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'LocalMachine',
      metadata: { name: 'm', namespace: 'default' },
    };
    const machine = aClusterApiMachine('m', { status: { phase: 'Provisioning' } });
    platform = aFleet({ loaded: [machine, infrastructure] });
    await platform.seconds(600);
    expect(theMachine().status).toEqual({ phase: 'Provisioning' });
    expect(platform.list('nodes')).toEqual([]);
  });
});

it('a set without its template makes nothing and says what is missing', async () => {
  platform = aFleet({ loaded: templates.slice(0, 1).concat(aSet()) });
  await platform.seconds(1);
  expect(() => platform.stop()).toThrow('default/set: there is no LocalConfigTemplate workers');
  expect(platform.list(machines)).toEqual([]);
  await platform.seconds(60);
  expect(platform.list(infrastructures).filter((one) => !one.metadata.deletionTimestamp)).toEqual([]);
});

describe('what is said of a running Machine', () => {
  const node = { metadata: { name: 'n', uid: 'uid-n' } };
  const status = (version: string) =>
    runningStatus({ ...aClusterApiMachine('m'), apiVersion: `cluster.x-k8s.io/${version}` }, node, 0);

  it('is in the words of v1beta2', () => {
    expect(status('v1beta2')).toMatchObject({ phase: 'Running', nodeRef: { name: 'n' } });
    expect(status('v1beta2')).not.toHaveProperty('v1beta2');
  });

  it('is in the words of v1beta1', () => {
    const lastTransitionTime = '1970-01-01T00:00:00Z';
    expect(status('v1beta1')).toMatchObject({
      phase: 'Running',
      nodeRef: { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'uid-n' },
      bootstrapReady: true,
      infrastructureReady: true,
      conditions: [
        { type: 'Ready', status: 'True', lastTransitionTime },
        { type: 'BootstrapReady', status: 'True' },
        { type: 'InfrastructureReady', status: 'True' },
        { type: 'NodeHealthy', status: 'True' },
      ],
    });
  });
});
