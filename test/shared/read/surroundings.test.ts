import { beforeEach, describe, expect, test } from 'vitest';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import type { Dialect } from '../../../shared/dialects/dialect.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { Machine } from '../../../shared/machine/machine.ts';
import { type Phase, phases } from '../../../shared/machine/phase.ts';
import { nodeByProviderId } from '../../../shared/read/find-node.ts';
import { needsNodeDeletion, surroundingsOf } from '../../../shared/read/surroundings.ts';
import { aCluster, aMachine } from '../../builders/cluster-api.ts';
import { aNode } from '../../builders/subject.ts';
import { aWorld, type World } from '../../builders/world.ts';

const controlPlaneRef = { apiGroup: 'cp.example', kind: 'ControlPlane', name: 'cp' };
const withControlPlane = aCluster({ spec: { controlPlaneRef } });
const seen = { metadata: { namespace: 'default', name: 'cp' } };
const noAnswer = () => {
  throw new Unavailable('no answer');
};
const mistake = () => {
  throw new TypeError('undefined is not a function');
};

let world: World;
const look = (nodeDeletion = true, machine = aMachine()) =>
  surroundingsOf(world.env, machine, clusterApi, { nodeDeletion });

beforeEach(() => {
  world = aWorld();
});

describe('the Cluster', () => {
  test.each(['v1beta1', 'v1beta2'])('is asked for in the version of its Machine: %s', async (version) => {
    const { management } = world;
    const asked: string[] = [];
    const get = management.get.bind(management);
    management.get = (resource, key) => {
      asked.push(`${resource.plural}.${resource.group}/${resource.version}`);
      return get(resource, key);
    };
    const machine = aMachine();
    const ref = { ...machine.ref, apiVersion: `cluster.x-k8s.io/${version}` };
    await look(false, { ...machine, ref });
    expect(asked).toEqual([`clusters.cluster.x-k8s.io/${version}`]);
  });

  test('is read for every guard, and may be two seconds old', async () => {
    await look(false);
    world.time.now += 2_000;
    await look(false);
    expect(world.management.reads).toEqual(['get clusters/default/c']);
    world.time.now += 1;
    await look(false);
    expect(world.management.reads).toHaveLength(2);
  });

  test('that is not there says so: its Machines cannot be judged', async () => {
    world.management.drop('clusters/default/c');
    await expect(look()).rejects.toThrow('Cluster default/c does not exist: its Machines cannot be deleted');
  });

  test('that comes a moment later is found: it may be made together with its Machines', async () => {
    world.management.drop('clusters/default/c');
    await expect(look()).rejects.toThrow('Cluster default/c does not exist');
    world.management.put('clusters', aCluster());
    expect((await look()).cluster?.metadata.name).toBe('c');
  });

  test('that the Machine does not name says so', async () => {
    const { clusterName: _, ...machine } = aMachine();
    await expect(look(true, machine)).rejects.toThrow('Machine default/m-1 names no Cluster');
  });
});

describe('the control plane', () => {
  test('is looked at only where the Node is touched', async () => {
    world.management.put('clusters', withControlPlane);
    expect(await look(false)).toMatchObject({
      controlPlane: { kind: 'unseen' },
      controlPlaneMembers: undefined,
    });
    expect(world.management.reads).toEqual(['get clusters/default/c']);
  });

  test('counts its Machines that are not being deleted', async () => {
    expect((await look()).controlPlaneMembers).toBe(3);
    world.time.now += 5_001;
    world.management.change('machines/default/cp-1', {
      metadata: { deletionTimestamp: '2026-01-01T12:00:00Z' },
    });
    expect((await look()).controlPlaneMembers).toBe(2);
  });

  test('counts the Machine that asks by how it is, whatever was seen of it a moment ago', async () => {
    await look();
    const beingDeleted = aMachine({ metadata: { name: 'cp-1', uid: 'uid-cp-1' } });
    expect((await look(true, beingDeleted)).controlPlaneMembers).toBe(2);
    expect(world.management.reads.filter((read) => read === 'list machines')).toHaveLength(1);
  });

  test('is unknown in number where its Machines cannot be listed: not all rules go by it', async () => {
    world.management.on('list machines', noAnswer);
    expect((await look()).controlPlaneMembers).toEqual({ kind: 'unknown', why: 'no answer' });
  });

  test('may be five seconds old', async () => {
    world.management.put('clusters', withControlPlane);
    world.management.put('controlplanes', seen);
    await look();
    world.time.now += 5_000;
    await look();
    expect(world.management.reads.filter((read) => read !== 'get clusters/default/c')).toEqual([
      'get controlplanes/default/cp',
      'list machines',
    ]);
    world.time.now += 1;
    await look();
    expect(world.management.reads.filter((read) => read === 'get controlplanes/default/cp')).toHaveLength(2);
  });

  test.each<[string, () => void, object]>([
    ['present', () => void world.management.put('controlplanes', seen), { kind: 'present', object: seen }],
    ['absent', () => undefined, { kind: 'absent' }],
    [
      'unknown when it cannot be read',
      () => world.management.on('get controlplanes/default/cp', noAnswer),
      { kind: 'unknown', why: 'no answer' },
    ],
    [
      'unknown when its kind cannot be looked up',
      () => world.management.on('discover ControlPlane', noAnswer),
      { kind: 'unknown', why: 'no answer' },
    ],
  ])('is %s', async (_what, given, expected) => {
    world.management.put('clusters', withControlPlane);
    given();
    expect((await look()).controlPlane).toMatchObject(expected);
  });

  test('of a kind that is not served is unknown, not absent', async () => {
    world.management.put(
      'clusters',
      aCluster({ spec: { controlPlaneRef: { ...controlPlaneRef, kind: 'Other' } } }),
    );
    expect((await look()).controlPlane).toMatchObject({
      kind: 'unknown',
      why: expect.stringContaining('Other of cp.example is not served'),
    });
  });
});

describe('a mistake of ours is thrown', () => {
  test('in a look at the control plane: it does not pass for one that is unknown', async () => {
    world.management.put('clusters', withControlPlane);
    world.management.on('get controlplanes/default/cp', mistake);
    await expect(look()).rejects.toThrow(TypeError);
  });

  test('in a count of its Machines: they do not pass for unknown', async () => {
    world.management.on('list machines', mistake);
    await expect(look()).rejects.toThrow(TypeError);
  });

  test('in a look for the Node: it does not pass for one that is not there', async () => {
    world.workload.on('list nodes', mistake);
    const nameless = aMachine({ status: { nodeRef: undefined } });
    await expect(nodeByProviderId(world.env, nameless, clusterApi)).rejects.toThrow(TypeError);
  });
});

describe('whether the Node may be touched is asked', () => {
  const asked: Record<Phase, [withBootstrap: boolean, without: boolean]> = {
    'pre-drain': [true, true],
    drain: [true, true],
    'volume-detach': [true, true],
    'hand-over': [true, true],
    'pre-terminate': [false, false],
    // A step that leaves for the Node's phase has to know.
    infrastructure: [false, true],
    bootstrap: [true, true],
    node: [true, true],
    finalize: [false, false],
  };
  const withoutBootstrap = aMachine({ spec: { bootstrap: {} } });

  test.each(phases)('in %s', (phase) => {
    expect([
      needsNodeDeletion(clusterApi, phase, false, aMachine()),
      needsNodeDeletion(clusterApi, phase, false, withoutBootstrap),
    ]).toEqual(asked[phase]);
  });

  test.each(phases)('in %s when a pre-drain hook is there: it may have to hold', (phase) => {
    expect(needsNodeDeletion(clusterApi, phase, true, aMachine())).toBe(true);
  });

  test('before a deletion begins', () => {
    expect(needsNodeDeletion(clusterApi, undefined, false, aMachine())).toBe(true);
  });
});

describe('the Node of a Machine that names none', () => {
  const nameless = { status: { nodeRef: undefined } };

  test('is found by the providerID of the Machine', async () => {
    expect(await nodeByProviderId(world.env, aMachine(nameless), clusterApi)).toEqual({
      kind: 'named',
      name: 'node-1',
    });
    expect(world.management.reads).toEqual([]);
  });

  test('is found by the providerID of the infrastructure where the Machine has none yet', async () => {
    const machine = aMachine({ ...nameless, spec: { providerID: undefined } });
    world.management.change('servers/default/m-1', { spec: { providerID: 'x://m-1' } });
    expect(await nodeByProviderId(world.env, machine, clusterApi)).toEqual({ kind: 'named', name: 'node-1' });
  });

  test('is not that of a server that another Machine controls', async () => {
    const { providerId: _, nodeName: __, ...machine } = aMachine();
    const other = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'm-2', uid: 'u' };
    world.management.change('servers/default/m-1', {
      metadata: { ownerReferences: [{ ...other, controller: true }] },
      spec: { providerID: 'x://m-1' },
    });
    const looking = nodeByProviderId(world.env, machine, clusterApi);
    await expect(looking).rejects.toThrow('Server m-1 is controlled by another Machine, m-2');
  });

  test.each([
    ['kind', 'pools', { group: 'infra.example', kind: 'Pool' }],
    ['group', 'others', { group: 'other.example', kind: 'Server' }],
  ])(
    'is that of its own infrastructure, and of none that has its name in another %s',
    async (_what, plural, other) => {
      const { providerId: _, nodeName: __, ...machine } = aMachine();
      world.management.change('servers/default/m-1', { spec: { providerID: 'x://m-1' } });
      world.management.put(plural, {
        metadata: { namespace: 'default', name: 'm-1' },
        spec: { providerID: 'x://m-2' },
      });
      world.workload.put('nodes', aNode({ name: 'node-2', uid: 'u2', providerID: 'x://m-2' }));
      const names = [];
      for (const kind of [{ group: 'infra.example', kind: 'Server' }, other]) {
        const infrastructure = { ...kind, namespace: 'default', name: 'm-1' };
        names.push(await nodeByProviderId(world.env, { ...machine, infrastructure }, clusterApi));
      }
      expect(names).toEqual([
        { kind: 'named', name: 'node-1' },
        { kind: 'named', name: 'node-2' },
      ]);
    },
  );

  test.each([
    ['nobody knows its providerID', { spec: {} }],
    ['no Node has its providerID', { spec: { providerID: 'x://other' } }],
  ])('is not found where %s', async (_where, server) => {
    const machine = aMachine({ ...nameless, spec: { providerID: undefined } });
    world.management.change('servers/default/m-1', server);
    expect(await nodeByProviderId(world.env, machine, clusterApi)).toEqual({ kind: 'none' });
  });

  test('is one of several where two have its providerID', async () => {
    world.workload.put('nodes', aNode({ name: 'node-2', uid: 'node-uid-2' }));
    const found = { kind: 'several', names: ['node-1', 'node-2'] };
    expect(await nodeByProviderId(world.env, aMachine(nameless), clusterApi)).toEqual(found);
  });

  test('is looked for in one list by all who ask within five seconds, of which names alone are held', async () => {
    for (let count = 0; count < 3; count += 1) {
      await nodeByProviderId(world.env, aMachine(nameless), clusterApi);
      world.time.now += 2_500;
    }
    expect(world.workload.reads).toEqual(['list nodes']);
    expect(await world.env.cache.nodeNames.known('default/c', 60_000)).toEqual(
      new Map([['x://m-1', ['node-1']]]),
    );
  });

  test('is unknown where the infrastructure cannot be read', async () => {
    world.management.on('get servers/default/m-1', noAnswer);
    const machine = aMachine({ ...nameless, spec: { providerID: undefined } });
    await expect(nodeByProviderId(world.env, machine, clusterApi)).rejects.toThrow('no answer');
  });
});

describe('the Machine that this instance runs on', () => {
  const sparing: Dialect = { ...clusterApi, sparesOwnMachine: true };
  const own: Machine = { ...aMachine(), nodeUid: 'node-uid-1' };
  const runsUs = async (dialect = sparing, machine = own): Promise<boolean> =>
    (await surroundingsOf(world.env, machine, dialect, { nodeDeletion: false })).runsUs;

  beforeEach(() => {
    world = aWorld(undefined, { ownNode: 'node-1' });
    world.management.put('nodes', aNode());
  });

  test('is the one whose Node has the name and the UID of ours', async () => {
    expect(await runsUs()).toBe(true);
  });

  test.each<[when: string, dialect: Dialect, machine: Machine]>([
    ['its API spares none', clusterApi, own],
    ['its Node is another', sparing, { ...own, nodeName: 'node-2' }],
    ['its Node had another UID', sparing, { ...own, nodeUid: 'node-uid-0' }],
    ['it does not say which Node it is', sparing, aMachine()],
  ])('is not meant where %s', async (_when, dialect, machine) => {
    expect(await runsUs(dialect, machine)).toBe(false);
  });

  test('is not meant where our Node is not there, or we do not know it', async () => {
    world.management.drop('nodes/node-1');
    expect(await runsUs()).toBe(false);
    world = aWorld();
    expect(await runsUs()).toBe(false);
  });

  test('is not meant any more a moment after our Node was made anew', async () => {
    expect(await runsUs()).toBe(true);
    world.management.drop('nodes/node-1');
    world.management.put('nodes', aNode({ uid: 'node-uid-2' }));
    world.time.now += 2_001;
    expect(await runsUs()).toBe(false);
  });

  test('is not ruled out where our Node cannot be read', async () => {
    world.management.on('get nodes/node-1', noAnswer);
    await expect(runsUs()).rejects.toThrow('no answer');
  });
});

describe('an API without Clusters', () => {
  const alone: Dialect = {
    ...clusterApi,
    clusterNameOf: () => undefined,
    controlPlaneMembers: () => undefined,
  };

  test('needs nothing to be read', async () => {
    expect(await surroundingsOf(world.env, aMachine(), alone, { nodeDeletion: true })).toEqual({
      cluster: undefined,
      controlPlane: { kind: 'unseen' },
      controlPlaneMembers: undefined,
      runsUs: false,
    });
    expect(world.management.reads).toEqual([]);
  });

  test('has no Nodes that are looked for by providerID', async () => {
    const nameless = aMachine({ status: { nodeRef: undefined } });
    expect(await nodeByProviderId(world.env, nameless, { ...alone, findsNodes: false })).toEqual({
      kind: 'none',
    });
  });
});
