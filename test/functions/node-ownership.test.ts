import { describe, expect, test } from 'vitest';
import { phaseFunctions } from '../../infra/host/phases.ts';
import type { Existence } from '../../shared/actuator/port.ts';
import { clusterApi } from '../../shared/dialects/capi/index.ts';
import { conditionsFrom } from '../../shared/dialects/conditions.ts';
import { recordAt } from '../../shared/dialects/fields.ts';
import { openShift } from '../../shared/dialects/openshift/index.ts';
import { intakeEvent } from '../../shared/intake/intake.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { Checkpoint } from '../../shared/machine/checkpoint.ts';
import type { Advance } from '../../shared/machine/messages.ts';
import { findNodeOfServer } from '../../shared/read/find-node.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { anActuator } from '../builders/actuator.ts';
import { aCheckpoint, aCluster, after, aRawMachine, timeAfter } from '../builders/cluster-api.ts';
import { aRawMachine as aRawOpenShiftMachine } from '../builders/openshift.ts';
import { pod } from '../builders/pods.ts';
import { aNode } from '../builders/subject.ts';
import { aRawOriginal } from '../builders/v1alpha1.ts';
import { anOriginalWorld, eventsIn } from '../builders/v1alpha1-world.ts';
import { aRival, atCheckpoint, aWorld, machinePath, savedCheckpoint, type World } from '../builders/world.ts';

// A Machine may name the Node of another server, or a Node whose owner is unknown.

const drainExcluded = { 'machine.cluster.x-k8s.io/exclude-node-draining': '' };
const onNode = (name: string, nodeName: string): KubeObject => ({ ...pod(name), spec: { nodeName } });

/**
 * Node node-1 belongs to the server x://other of Machine m-9, and is in use. So is node-2, where it exists, the Node of
 * x://m-1.
 */
function withForeignNode(world: World, own: 'with its own' | 'without its own' = 'without its own'): World {
  const { workload, management } = world;
  management.put('machines', aRival(management.at(machinePath)));
  workload.put('nodes', aNode({ providerID: 'x://other', unschedulable: false }));
  workload.put('pods', onNode('shop/theirs', 'node-1'));
  if (own === 'with its own') {
    workload.put('nodes', aNode({ name: 'node-2', uid: 'node-uid-2', unschedulable: false }));
    workload.put('pods', onNode('shop/own', 'node-2'));
  }
  return world;
}

/** node-1 and node-2 both have the Machine's providerID, and the Machine names none. */
function aTwin(annotations: Record<string, string> = {}, spec: Record<string, unknown> = {}): World {
  const world = aWorld(aRawMachine({ annotations, spec, status: { nodeRef: undefined } }));
  world.workload.put('nodes', aNode({ name: 'node-2', uid: 'node-uid-2', unschedulable: false }));
  world.workload.put('pods', onNode('shop/a', 'node-1'));
  world.workload.put('pods', onNode('shop/b', 'node-2'));
  return world;
}

/** Looks at the Machine at that time, and runs steps until none follows. */
async function look(world: World, seconds: number): Promise<void> {
  world.time.now = after(seconds);
  const raw = world.management.at(machinePath);
  let next: Advance | undefined = raw && (await intakeEvent(world.env, raw));
  while (next !== undefined) ({ next } = await reconcilePhase(world.env, phaseFunctions[next.phase], next));
}

/** Evicted Pods stop, and deleted servers and configs go, between two looks. */
async function play(world: World, seconds = 120): Promise<void> {
  for (let at = 10; at <= seconds; at += 10) {
    await look(world, at);
    for (const path of ['pods/shop/theirs', 'pods/shop/own', 'pods/shop/a', 'pods/shop/b'])
      if (world.workload.at(path)?.metadata.deletionTimestamp !== undefined) world.workload.drop(path);
    for (const path of ['servers/default/m-1', 'configs/default/m-1'])
      if (world.management.at(path)?.metadata.deletionTimestamp !== undefined) world.management.drop(path);
  }
}

const effects = ({ log }: World): string[] =>
  log.filter((line) => /^(evict|delete|patch nodes|delete-server)/.test(line));
const isGone = ({ management }: World): boolean => management.at(machinePath) === undefined;
const conditionOf = ({ management }: World): object | undefined =>
  conditionsFrom(recordAt(management.at(machinePath), 'status')['conditions']).find(
    ({ type }) => type === 'phaseout.dev/OwnNode',
  );
const why =
  "Node node-1 is another server's and is left alone: it has providerID x://other; the Machine has x://m-1 and names no UID; Machine default/m-9 has this providerID; no Node has the Machine's providerID";

const anotherServers = { status: 'False', reason: 'NodeOfAnotherServer', message: why };

function anUnknown(annotations: Record<string, string> = {}): World {
  const nodeRef = { apiVersion: 'v1', kind: 'Node', name: 'node-1', uid: 'node-uid-0' };
  const deletion = { nodeDrainTimeoutSeconds: 9, nodeVolumeDetachTimeoutSeconds: 9 };
  const world = aWorld(
    aRawMachine({ annotations, spec: { providerID: undefined, deletion }, status: { nodeRef } }),
  );
  world.workload.put('pods', onNode('shop/a', 'node-1'));
  return world;
}

function anOpenShiftWorld(machine: Parameters<typeof aRawOpenShiftMachine>[0] = {}) {
  const world = aWorld(aRawOpenShiftMachine(machine));
  const exists: Existence[] = [{ kind: 'exists' }, { kind: 'absent' }];
  const actuator = anActuator({ exists });
  const workloads = { of: async () => world.workload };
  Object.assign(world.env, { actuator, dialects: [openShift], workloads });
  return world;
}

const nodeRef = { kind: 'Node', name: 'node-1' };
/** Its nodeRef has no UID. */
const unnamed = { status: { nodeRef } };

const noAnswer = (): never => {
  throw new Unavailable('no answer');
};

describe('the Node of another server, by Cluster API', () => {
  test('is not cordoned, drained or deleted, and the Machine goes', async () => {
    const world = withForeignNode(aWorld());
    await play(world);
    expect(effects(world)).toEqual(['delete servers/default/m-1', 'delete configs/default/m-1']);
    expect(isGone(world)).toBe(true);
    expect(world.workload.at('nodes/node-1')).toMatchObject({ spec: { unschedulable: false } });
  });

  test('is told in a condition, an Event and a line of the log, each with one reason, once', async () => {
    const world = withForeignNode(aWorld());
    await look(world, 10);
    expect(conditionOf(world)).toMatchObject(anotherServers);
    expect(await eventsIn(world)).toEqual([`Warning NodeOfAnotherServer: ${why}`]);
    expect(world.said.filter((line) => line.startsWith('Node belongs'))).toEqual([
      'Node belongs to another server',
    ]);
  });

  test('is not told by a step whose write comes too late: somebody else may have told it', async () => {
    const world = withForeignNode(aWorld());
    world.management.on(`patch ${machinePath}`, () => {
      world.management.drop(machinePath);
      return { kind: 'conflict', message: 'the object has been modified' };
    });
    await look(world, 10);
    expect([await eventsIn(world), world.said.filter((line) => line.startsWith('Node belongs'))]).toEqual([
      [],
      [],
    ]);
  });

  test('is told where the drain is excluded, too', async () => {
    const world = withForeignNode(aWorld(aRawMachine({ annotations: drainExcluded })));
    await look(world, 10);
    expect(conditionOf(world)).toMatchObject({ reason: 'NodeOfAnotherServer' });
    await play(world);
    expect(effects(world)).toEqual(['delete servers/default/m-1', 'delete configs/default/m-1']);
  });

  test('keeps no pre-drain hook from holding', async () => {
    const hook = { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/own': '' };
    const world = withForeignNode(aWorld(aRawMachine({ annotations: hook })));
    await play(world);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'pre-drain' });
    expect(effects(world)).toEqual([]);
  });

  test("is passed over for the Machine's own, which is drained and deleted", async () => {
    const world = withForeignNode(aWorld(), 'with its own');
    await play(world);
    expect(effects(world)).toEqual([
      'patch nodes/node-2',
      'evict pods/shop/own',
      'delete servers/default/m-1',
      'delete configs/default/m-1',
      'delete nodes/node-2',
    ]);
    expect(isGone(world)).toBe(true);
  });

  test('is passed over for one whose ID differs only in its form', async () => {
    const world = withForeignNode(aWorld(aRawMachine({ spec: { providerID: 'aws:////m-1' } })));
    const own = aNode({
      name: 'node-2',
      uid: 'node-uid-2',
      unschedulable: false,
      providerID: 'aws:///eu/m-1',
    });
    world.workload.put('nodes', own);
    await look(world, 10);
    expect(effects(world)).toContain('patch nodes/node-2');
  });

  test('that has just taken the name of its own is not taken for that by an older list of Nodes', async () => {
    const world = aWorld();
    const machine = clusterApi.read(world.management.at(machinePath)!);
    await findNodeOfServer(world.env, machine, clusterApi, 'x://m-1');
    withForeignNode(world);
    await look(world, 10);
    expect(effects(world)).toEqual([]);
    await play(world);
    expect(effects(world)).toEqual(['delete servers/default/m-1', 'delete configs/default/m-1']);
  });

  test('is recognised by the providerID of the infrastructure, also once that is gone', async () => {
    const world = withForeignNode(aWorld(aRawMachine({ spec: { providerID: undefined } })));
    world.management.change('servers/default/m-1', { spec: { providerID: 'x://m-1' } });
    await play(world);
    expect(effects(world)).toEqual(['delete servers/default/m-1', 'delete configs/default/m-1']);
    expect(isGone(world)).toBe(true);
  });

  test('is held where the infrastructure, which alone knows the providerID, cannot be read', async () => {
    const world = withForeignNode(aWorld(aRawMachine({ spec: { providerID: undefined } })));
    world.management.on('get servers/default/m-1', noAnswer, 999);
    await play(world);
    expect(effects(world)).toEqual([]);
  });
});

describe('a checkpoint of an earlier version, which has drained the Node of another server,', () => {
  const drained = { drain: { as: 'done', since: timeAfter(1) } } as const;
  const at = (checkpoint: Partial<Checkpoint>): World =>
    aWorld(
      aRawMachine({
        annotations: atCheckpoint(aCheckpoint({ since: timeAfter(2), passed: drained, ...checkpoint })),
      }),
    );

  test.each<[string, Partial<Checkpoint>]>([
    ['waits for volumes', { phase: 'volume-detach' }],
    ['comes to the infrastructure', { phase: 'infrastructure' }],
  ])("is gone back from to drain the Machine's own, where it %s", async (_where, checkpoint) => {
    const world = withForeignNode(at({ ...checkpoint, node: 'node-uid-1' }), 'with its own');
    await play(world);
    expect(effects(world)).toEqual([
      'patch nodes/node-2',
      'evict pods/shop/own',
      'delete servers/default/m-1',
      'delete configs/default/m-1',
      'delete nodes/node-2',
    ]);
  });

  test.each([
    ['is left alone at the end', 'without its own', []],
    ["is left alone for the Machine's own", 'with its own', ['delete nodes/node-2']],
  ] as const)('has a Node that %s', async (_what, own, expected) => {
    const world = withForeignNode(at({ phase: 'node', node: 'node-uid-1' }), own);
    world.management.drop('servers/default/m-1');
    await play(world);
    expect(effects(world)).toEqual(expected);
    expect(isGone(world)).toBe(true);
  });
});

describe('a Node with another UID than the nodeRef, and no provider IDs to compare,', () => {
  test('is held as unknown before its drain, and no limit ends that', async () => {
    const world = anUnknown();
    await play(world, 1_200);
    expect(effects(world)).toEqual([]);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain' });
    expect(conditionOf(world)).toMatchObject({ status: 'Unknown', reason: 'NodeUnknown' });
  });

  test('is drained once the nodeRef has its UID, and the condition goes', async () => {
    const world = anUnknown();
    await play(world, 60);
    world.management.change(machinePath, { status: { nodeRef: { uid: 'node-uid-1' } } });
    await look(world, 90);
    expect(effects(world)).toEqual(['evict pods/shop/a']);
    expect(conditionOf(world)).toBeUndefined();
  });

  test('is left as it is where the Machine is excluded from the drain', async () => {
    const world = anUnknown(drainExcluded);
    await play(world);
    expect(effects(world)).toEqual(['delete servers/default/m-1', 'delete configs/default/m-1']);
    expect(isGone(world)).toBe(true);
  });
});

describe('OpenShift', () => {
  test("leaves another server's Node alone, and says so", async () => {
    const world = withForeignNode(anOpenShiftWorld(unnamed));
    await look(world, 10);
    expect(conditionOf(world)).toMatchObject(anotherServers);
    await play(world);
    expect(effects(world)).toEqual([]);
    expect(isGone(world)).toBe(true);
  });

  test("drains the Machine's own instead", async () => {
    const world = withForeignNode(anOpenShiftWorld(unnamed), 'with its own');
    await play(world);
    expect(effects(world)).toEqual(['patch nodes/node-2', 'evict pods/shop/own', 'delete nodes/node-2']);
    expect(isGone(world)).toBe(true);
  });

  test('holds a Node of another UID', async () => {
    const status = { nodeRef: { ...nodeRef, uid: 'node-uid-0' } };
    const world = anOpenShiftWorld({ spec: { providerID: null }, status });
    await play(world, 600);
    expect(effects(world)).toEqual([]);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain' });
    expect(conditionOf(world)).toMatchObject({ status: 'Unknown', reason: 'NodeUnknown' });
  });
});

describe('v1alpha1', () => {
  test("leaves another server's Node, tells it in an Event and the log, and deletes the Machine's own", async () => {
    const world = withForeignNode(anOriginalWorld(aRawOriginal(unnamed)));
    await play(world);
    expect(effects(world)).toEqual(['delete m-1']);
    expect(await eventsIn(world)).toEqual([`Warning NodeOfAnotherServer: ${why}`]);
    expect(world.said).toContain('Node belongs to another server');
    const other = withForeignNode(anOriginalWorld(aRawOriginal(unnamed)), 'with its own');
    await play(other);
    expect(effects(other)).toEqual(['delete m-1', 'delete nodes/node-2']);
  });

  test('leaves a Node with another UID', async () => {
    const status = { nodeRef: { kind: 'Node', name: 'node-1', uid: 'node-uid-0' } };
    const world = anOriginalWorld(aRawOriginal({ spec: { providerID: null }, status }));
    await play(world);
    expect(effects(world)).toEqual(['delete m-1']);
    expect(world.workload.at('nodes/node-1')).toBeDefined();
  });
});

describe('several Nodes with the providerID of a Machine that names none', () => {
  const names = 'several Nodes have providerID x://m-1: node-1, node-2';
  const ends =
    'This ends when one Node is left, the Machine is excluded from the drain, or its Cluster or control plane is deleted';
  const limits = { deletion: { nodeDrainTimeoutSeconds: 9, nodeVolumeDetachTimeoutSeconds: 9 } };

  test('hold it for longer than any search or limit lasts, and are named with what ends that', async () => {
    const world = aTwin({}, limits);
    await play(world, 1_200);
    expect(effects(world)).toEqual([]);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain' });
    const { message } = { message: '', ...conditionOf(world) };
    expect(message).toContain(names);
    expect(message).toContain(ends);
  });

  test.each<[string, Partial<Checkpoint>]>([
    ['a drain whose limit is over', { phase: 'drain', since: timeAfter(1) }],
    [
      'a wait for volumes',
      { phase: 'volume-detach', passed: { drain: { as: 'not-applicable', since: timeAfter(1) } } },
    ],
    [
      'the infrastructure, whose drain was passed over as if there were no Node',
      { phase: 'infrastructure', passed: { drain: { as: 'not-applicable', since: timeAfter(1) } } },
    ],
  ])('hold %s', async (_what, checkpoint) => {
    const saved = aCheckpoint({ since: timeAfter(2), ...checkpoint });
    const world = aTwin(atCheckpoint(saved), limits);
    await play(world, 600);
    expect(effects(world)).toEqual([]);
  });

  test('hold it until one is left, which is drained', async () => {
    const world = aTwin();
    await play(world, 60);
    world.workload.drop('nodes/node-2');
    await look(world, 90);
    expect(effects(world)).toEqual(['evict pods/shop/a']);
  });

  const controlPlaneRef = { apiGroup: 'cp.example', kind: 'ControlPlane', name: 'cp' };
  test.each<[string, (world: World) => void]>([
    [
      'the Machine is excluded from the drain',
      ({ management }) => management.change(machinePath, { metadata: { annotations: drainExcluded } }),
    ],
    [
      'its Cluster is being deleted',
      ({ management }) =>
        management.change('clusters/default/c', {
          metadata: { deletionTimestamp: timeAfter(50), finalizers: ['x'] },
        }),
    ],
    [
      'its control plane is being deleted',
      ({ management }) => {
        management.put('controlplanes', {
          metadata: { namespace: 'default', name: 'cp', deletionTimestamp: timeAfter(50), finalizers: ['x'] },
        });
        management.put('clusters', aCluster({ spec: { controlPlaneRef } }));
      },
    ],
  ])('hold it until %s: then the server goes, and the Nodes stay', async (_what, change) => {
    const world = aTwin();
    await play(world, 60);
    change(world);
    await play(world);
    expect(effects(world)).toEqual(['delete servers/default/m-1', 'delete configs/default/m-1']);
    expect(isGone(world)).toBe(true);
  });

  test('hold a Machine that names the Node of another server, too', async () => {
    const world = withForeignNode(aWorld(), 'with its own');
    world.workload.put('nodes', aNode({ name: 'node-3', uid: 'node-uid-3' }));
    await play(world, 600);
    expect(effects(world)).toEqual([]);
    expect(conditionOf(world)).toMatchObject({ status: 'Unknown', reason: 'NodeUnknown' });
  });
});
