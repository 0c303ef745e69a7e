import { describe, expect, test } from 'vitest';
import { openShift } from '../../../shared/dialects/openshift/index.ts';
import { NoCredentials, Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { anActuator } from '../../builders/actuator.ts';
import { aRawMachine as aRawClusterApiMachine } from '../../builders/cluster-api.ts';
import { aRawMachine, excluded, type Overrides } from '../../builders/openshift.ts';
import { aNode } from '../../builders/subject.ts';
import { aRawOriginal } from '../../builders/v1alpha1.ts';
import { anOriginalWorld } from '../../builders/v1alpha1-world.ts';
import { aWorld, type World } from '../../builders/world.ts';
import { lines, planFor, planOf, whyOf } from './plans.ts';

const noAccess = () => Promise.reject(new NoCredentials('Secret default/c-kubeconfig does not exist'));
const defect = () => Promise.reject(new TypeError('a defect'));
const noProvider = () => Promise.reject(new Unavailable('no provider is configured'));

const at = { namespace: 'default', name: 'm-1' };

const ofOpenShift = (world: World) => planOf(world, 'machine.openshift.io/v1beta1');
const ofV1alpha1 = (world: World) => planOf(world, 'cluster.k8s.io/v1alpha1');
const ofClusterApi = (world: World) => planOf(world);

/** OpenShift has one cluster: Machines and Nodes are in the same one. */
function anOpenShiftWorld(overrides: Overrides = {}, actuator = anActuator()): World {
  const world = aWorld(aRawMachine(overrides));
  Object.assign(world.env, { dialects: [openShift], actuator });
  return world;
}

const aPod: KubeObject = {
  metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
  spec: { nodeName: 'node-1' },
  status: { phase: 'Running' },
};

const aBrokenRule: KubeObject = {
  metadata: { namespace: 'default', name: 'broken' },
  spec: {
    drain: { behavior: 'Drain', order: 5 },
    pods: [{ selector: { matchExpressions: [{ key: 'app', operator: 'Exist' }] } }],
  },
};
const brokenRule =
  'failed to get Pods for eviction: failed to get matching MachineDrainRules: invalid selectors in MachineDrainRule ' +
  'broken: spec.pods[0].selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Exist"}]}: ' +
  '"Exist" is not a valid label selector operator';

describe('the plan for a Machine of OpenShift', () => {
  test('has the phases of its API, judges its Pods and asks the provider', async () => {
    const actuator = anActuator();
    const world = anOpenShiftWorld({ preTerminate: ['logs'] }, actuator);
    world.workload.put('pods', aPod);
    const plan = await ofOpenShift(world);
    expect(lines(plan)).toEqual([
      'pre-drain pass: no pre-drain hook holds it',
      'drain work: 1 Pod has to go, in 1 batch',
      'pre-terminate wait: Terminate operation currently blocked by: [{Name:logs Owner:logs-owner}]',
      'infrastructure work: the provider is asked to delete the instance',
      'node work: Node node-1 is deleted',
      'finalize work: the finalizer machine.machine.openshift.io is removed',
    ]);
    expect(plan.hooks).toEqual([{ point: 'pre-terminate', name: 'logs', owner: 'logs-owner' }]);
    expect(plan.pods.map(({ name, behavior }) => `${name} ${behavior}`)).toEqual(['web Drain']);
    expect({ held: plan.held, volumes: plan.volumes }).toEqual({ held: [], volumes: [] });
    expect(actuator.asked).toEqual(['exists uid-1']);
    expect(world.log).toEqual([]);
  });

  test('waits for no volume, and looks for none', async () => {
    const world = anOpenShiftWorld();
    world.workload.put('nodes', aNode({ volumesAttached: ['kubernetes.io/csi/x^v'] }));
    expect((await ofOpenShift(world)).volumes).toEqual([]);
    expect(world.workload.reads).not.toContain('list persistentvolumes');
  });

  test.each<[string, Overrides, string, string]>([
    [
      'passes by hooks and Pods where the drain is excluded',
      { annotations: excluded, preDrain: ['etcd'] },
      'pre-drain pass: no pre-drain hook holds it; its pre-drain hooks are bypassed: etcd',
      'drain skip: ',
    ],
    [
      'passes by hooks where there is no Node',
      { status: { nodeRef: undefined }, preDrain: ['move', 'etcd'] },
      'pre-drain skip: the Machine has no nodeRef; its pre-drain hooks are bypassed: etcd, move',
      'drain skip: the Machine has no nodeRef',
    ],
    [
      'has nothing to pass by where there is neither Node nor hook',
      { status: { nodeRef: undefined } },
      'pre-drain skip: the Machine has no nodeRef',
      'drain skip: the Machine has no nodeRef',
    ],
    [
      'does not drain again what says that it is drained',
      {
        status: {
          conditions: [{ type: 'Drained', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
        },
      },
      'pre-drain skip: the Machine says that it is done',
      'drain skip: the Machine says that it is done',
    ],
  ])('%s', async (_sentence, overrides, preDrain, drain) => {
    const world = anOpenShiftWorld(overrides);
    world.workload.put('pods', aPod);
    const plan = await ofOpenShift(world);
    expect(whyOf(plan, 'pre-drain')).toBe(preDrain);
    expect(whyOf(plan, 'drain')).toContain(drain);
    expect({ batches: plan.batches, hooks: plan.hooks }).toEqual({ batches: [], hooks: [] });
  });

  test.each<[string, Parameters<typeof anActuator>[0], string]>([
    [
      'knows of none',
      { exists: [{ kind: 'absent' }] },
      'infrastructure pass: the provider knows of no instance',
    ],
    [
      'cannot tell',
      { exists: [{ kind: 'retry', afterSeconds: 5, message: 'busy' }] },
      'infrastructure work: the provider is asked to delete the instance; whether it exists it cannot tell now: busy',
    ],
  ])('says so when the provider %s', async (_what, answers, line) => {
    expect(whyOf(await ofOpenShift(anOpenShiftWorld({}, anActuator(answers))), 'infrastructure')).toBe(line);
  });

  test('waits where no provider is configured', async () => {
    const world = anOpenShiftWorld();
    Object.assign(world.env, { actuator: { ...anActuator(), exists: noProvider } });
    expect(whyOf(await ofOpenShift(world), 'infrastructure')).toBe(
      'infrastructure wait: no provider is configured',
    );
  });

  test('is none where a defect of ours keeps the provider from being asked', async () => {
    const world = anOpenShiftWorld();
    Object.assign(world.env, { actuator: { ...anActuator(), exists: defect } });
    await expect(ofOpenShift(world)).rejects.toThrow('a defect');
  });

  test('waits for a control plane Node that is cordoned already', async () => {
    const world = anOpenShiftWorld();
    const master = { 'node-role.kubernetes.io/master': '' };
    const put = (name: string, unschedulable: boolean): void => {
      const node = aNode({ name, uid: `${name}-uid`, unschedulable });
      world.workload.put('nodes', { ...node, metadata: { ...node.metadata, labels: master } });
    };
    put('node-1', false);
    put('node-2', true);
    expect(whyOf(await ofOpenShift(world), 'drain')).toBe(
      'drain wait: Node node-2 of the control plane is cordoned, and only one may be at a time',
    );
    put('node-2', false);
    expect(whyOf(await ofOpenShift(world), 'drain')).toBe('drain pass: no Pod has to go');
    put('node-1', true);
    put('node-2', true);
    expect(whyOf(await ofOpenShift(world), 'drain')).toBe('drain pass: no Pod has to go');
  });

  test('judges the Pods of a Node that says nothing of a cordon', async () => {
    const world = anOpenShiftWorld();
    const { spec: _, ...bare } = aNode();
    world.workload.put('nodes', bare);
    world.workload.put('pods', aPod);
    expect(whyOf(await ofOpenShift(world), 'drain')).toBe('drain work: 1 Pod has to go, in 1 batch');
  });

  test('waits for a MachineDrainRule that cannot be followed to be put right', async () => {
    const world = anOpenShiftWorld();
    world.management.put('machinedrainrules', aBrokenRule);
    world.workload.put('pods', aPod);
    const plan = await ofOpenShift(world);
    expect(whyOf(plan, 'drain')).toBe(`drain wait: ${brokenRule}`);
    expect({ batches: plan.batches, message: plan.message }).toEqual({ batches: [], message: brokenRule });
  });

  test('minds no MachineDrainRule where the drain is excluded', async () => {
    const world = anOpenShiftWorld({ annotations: excluded });
    world.management.put('machinedrainrules', aBrokenRule);
    world.workload.put('pods', aPod);
    const plan = await ofOpenShift(world);
    expect(whyOf(plan, 'drain')).toContain('drain skip: ');
    expect(plan.message).toBe('');
  });

  test.each<[string, Overrides, string]>([
    ['is invalid', { metadata: { labels: {} } }, 'FailedValidate'],
    ['is looked after by Cluster API', { status: { authoritativeAPI: 'ClusterAPI' } }, 'Paused'],
  ])('says that nothing is done to a Machine that %s', async (_what, overrides, reason) => {
    const plan = await ofOpenShift(anOpenShiftWorld(overrides));
    expect(plan.held.map((hold) => hold.reason)).toEqual([reason]);
    expect(plan.held[0]?.message).not.toBe('');
  });
});

describe('the plan for a Machine of v1alpha1', () => {
  test('has no drain: the server goes, then the Node', async () => {
    const world = anOriginalWorld();
    world.workload.put('pods', aPod);
    const plan = await ofV1alpha1(world);
    expect(lines(plan)).toEqual([
      'infrastructure work: the provider is asked to delete the instance',
      'node work: Node node-1 is deleted',
      'finalize work: the finalizer machine.cluster.k8s.io is removed',
    ]);
    expect({ pods: plan.pods, hooks: plan.hooks, held: plan.held }).toEqual({
      pods: [],
      hooks: [],
      held: [],
    });
    expect(world.log).toEqual(['exists m-1']);
  });

  test('is held by a Cluster that is missing, which is said rather than thrown', async () => {
    const world = anOriginalWorld();
    world.management.drop('clusters/default/c');
    const plan = await ofV1alpha1(world);
    const why = 'not without the Cluster';
    expect(plan).toEqual({
      machine: { apiVersion: 'cluster.k8s.io/v1alpha1', ...at, uid: 'uid-1' },
      held: [
        {
          reason: 'InternalError',
          message: expect.stringContaining('Cluster default/c does not exist: '),
        },
      ],
      phases: [
        { phase: 'infrastructure', does: 'wait', why },
        { phase: 'node', does: 'wait', why },
        { phase: 'finalize', does: 'wait', why },
      ],
      pods: [],
      batches: [],
      refusals: [],
      volumes: [],
      hooks: [],
      message: '',
    });
  });

  test('is none while it cannot be looked whether there is a Cluster', async () => {
    const world = anOriginalWorld();
    world.management.on('get clusters/default/c', () => {
      throw new Unavailable('no answer');
    });
    await expect(ofV1alpha1(world)).rejects.toThrow('no answer');
  });

  test('is none while its cluster does not answer: its Node may be there', async () => {
    const world = anOriginalWorld();
    Object.assign(world.env, { workloads: { of: () => Promise.reject(new Unavailable('no answer')) } });
    await expect(ofV1alpha1(world)).rejects.toThrow('no answer');
  });

  test('leaves the Node where there is no way to its cluster', async () => {
    const world = anOriginalWorld();
    Object.assign(world.env, { workloads: { of: noAccess } });
    expect(whyOf(await ofV1alpha1(world), 'node')).toBe(
      'node skip: the Node is left: Secret default/c-kubeconfig does not exist',
    );
  });

  test('is refused for the Machine that this runs on', async () => {
    const world = anOriginalWorld(aRawOriginal(), { ownNode: 'node-1' });
    world.management.put('nodes', aNode());
    const { held } = await ofV1alpha1(world);
    expect(held).toEqual([
      { reason: 'RunsPhaseout', message: 'Machine m-1 is the one that phaseout runs on (Node node-1)' },
    ]);
  });
});

describe('the plan for a Machine of Cluster API', () => {
  test('names who owns a hook, as far as the annotation says so', async () => {
    const prefix = 'pre-drain.delete.hook.machine.cluster.x-k8s.io';
    const annotations = { [`${prefix}/a`]: 'somebody', [`${prefix}/b`]: '' };
    const world = aWorld(aRawClusterApiMachine({ metadata: { annotations } }));
    expect((await ofClusterApi(world)).hooks).toStrictEqual([
      { point: 'pre-drain', name: `${prefix}/a`, owner: 'somebody' },
      { point: 'pre-drain', name: `${prefix}/b` },
    ]);
  });

  test('names the hooks that are bypassed because it has no Node', async () => {
    const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/a';
    const world = aWorld(
      aRawClusterApiMachine({
        annotations: { [hook]: '' },
        spec: { providerID: undefined },
        status: { nodeRef: undefined },
      }),
    );
    expect(whyOf(await ofClusterApi(world), 'pre-drain')).toBe(
      `pre-drain skip: noderef is nil: the Machine names no Node and none is known by its providerID, so nothing is drained and no Node is deleted; its pre-drain hooks are bypassed: ${hook}`,
    );
  });

  test('waits for a pre-terminate hook also where it has no Node', async () => {
    const hook = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/a';
    const world = aWorld(
      aRawClusterApiMachine({
        annotations: { [hook]: '' },
        spec: { providerID: undefined },
        status: { nodeRef: undefined },
      }),
    );
    expect(whyOf(await ofClusterApi(world), 'pre-terminate')).toMatch(/^pre-terminate wait: /);
  });

  test('finds a Node that only its providerID leads to', async () => {
    const world = aWorld(aRawClusterApiMachine({ status: { nodeRef: undefined } }));
    expect(whyOf(await ofClusterApi(world), 'node')).toBe('node work: Node node-1 is deleted');
  });

  test('is none where there is no way to its cluster: the Node is not left behind', async () => {
    const world = aWorld();
    Object.assign(world.env, { workloads: { of: noAccess } });
    await expect(ofClusterApi(world)).rejects.toThrow('Secret default/c-kubeconfig does not exist');
  });

  test.each([
    ['drain', 'exclude-node-draining', 'volume-detach wait: volumes are attached to the Node'],
    ['volume-detach', 'exclude-wait-for-node-volume-detach', 'drain work: 1 Pod has to go, in 1 batch'],
  ])('passes by %s where the Machine is excluded from it, and by nothing else', async (step, name, other) => {
    const annotation = `machine.cluster.x-k8s.io/${name}`;
    const world = aWorld(aRawClusterApiMachine({ annotations: { [annotation]: '' } }));
    world.workload.put('nodes', aNode({ volumesAttached: ['kubernetes.io/csi/x^v'] }));
    world.workload.put('pods', aPod);
    const plan = await ofClusterApi(world);
    expect(lines(plan)).toContain(`${step} skip: Machine has the ${annotation} annotation`);
    expect(lines(plan)).toContain(other);
    expect(plan.batches).toHaveLength(step === 'drain' ? 0 : 1);
  });

  test('says that a pause holds it', async () => {
    const world = aWorld(
      aRawClusterApiMachine({ metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } }),
    );
    expect((await ofClusterApi(world)).held.map(({ reason }) => reason)).toEqual(['Paused']);
  });

  test.each([
    ['waits for no volume where none is attached', [], 'pass: no volume has to come off'],
    [
      'cannot tell which volumes may stay where a MachineDrainRule cannot be followed',
      ['kubernetes.io/csi/x^v'],
      `wait: failed to find PersistentVolumeClaims from Pods ignored during drain: ${brokenRule}`,
    ],
  ])('%s', async (_sentence, volumesAttached, line) => {
    const world = aWorld();
    world.management.put('machinedrainrules', aBrokenRule);
    world.workload.put('nodes', aNode({ volumesAttached }));
    world.workload.put('pods', aPod);
    expect(whyOf(await ofClusterApi(world), 'volume-detach')).toBe(`volume-detach ${line}`);
  });

  test('is none for a Machine that does not exist', async () => {
    const world = aWorld();
    const missing = { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'default', name: 'm-9' };
    expect(await planFor(world, missing)).toBeUndefined();
  });
});
