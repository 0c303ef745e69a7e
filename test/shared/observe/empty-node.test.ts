import { beforeEach, describe, expect, test } from 'vitest';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { observeDrain } from '../../../shared/observe/drain.ts';
import { observeDetach } from '../../../shared/observe/volume-detach.ts';
import type { Subject } from '../../../shared/phase/definition.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import { beside, besideOfOpenShift } from '../../builders/beside.ts';
import { aCheckpoint, aMachine, timeAfter } from '../../builders/cluster-api.ts';
import { pod } from '../../builders/pods.ts';
import { aNode, aSubject } from '../../builders/subject.ts';
import { aRival, atCheckpoint, aWorld, type World } from '../../builders/world.ts';

const schedulable = { unschedulable: false };

/** A world whose Node is not cordoned. */
function anOpenNode(parts: Parameters<typeof aNode>[0] = {}): World {
  const world = aWorld();
  world.workload.put('nodes', aNode({ ...schedulable, ...parts }));
  return world;
}

const onNode = (name: string, parts = {}) => ({ ...pod(name, parts), spec: { nodeName: 'node-1' } });

const seenIn = async ({ env }: World, subject = aSubject({ dialect: beside() })) =>
  (await observeDrain(openSnapshot(env, subject), subject)).kind;

describe('an empty Node beside Cluster API', () => {
  test('is drained without a cordon: its own controller cordons it', async () => {
    const world = anOpenNode();
    expect(await seenIn(world)).toBe('drained');
    expect(world.workload.reads).toEqual(['list pods', 'get nodes/node-1', 'list volumeattachments']);
  });

  test('has nothing to detach, by the same reads', async () => {
    const world = anOpenNode();
    const passed = { drain: { as: 'done', since: timeAfter(1) } } as const;
    const subject = aSubject({ dialect: beside(), phase: 'volume-detach', checkpoint: { passed } });
    const snapshot = openSnapshot(world.env, subject);
    expect(await observeDetach(snapshot, subject)).toEqual({
      kind: 'nothing-attached',
      why: 'no volume is attached',
    });
  });
});

describe('it is cordoned', () => {
  test('in the place of the controller', async () => {
    expect(await seenIn(anOpenNode(), aSubject())).toBe('schedulable');
  });

  test('beside OpenShift: its mark says that the Node is drained', async () => {
    expect(await seenIn(anOpenNode(), aSubject({ dialect: besideOfOpenShift() }))).toBe('schedulable');
  });

  test('of the control plane', async () => {
    const subject = aSubject({ dialect: beside(), machine: { isControlPlane: true } });
    expect(await seenIn(anOpenNode(), subject)).toBe('schedulable');
  });

  test('if a Pod must go', async () => {
    const world = anOpenNode();
    world.workload.put('pods', onNode('shop/a'));
    expect(await seenIn(world)).toBe('unread');
  });

  test('if a volume is attached, and its Pods are listed once more after that', async () => {
    const world = anOpenNode({ volumesAttached: ['csi^a'] });
    const subject = aSubject({ dialect: beside() });
    const snapshot = openSnapshot(world.env, subject);
    expect((await observeDrain(snapshot, subject)).kind).toBe('schedulable');
    world.workload.put('pods', onNode('shop/late'));
    world.workload.reads.length = 0;
    expect(
      (
        await snapshot.list(
          'workload',
          { group: '', version: 'v1', plural: 'pods' },
          { fieldSelector: 'spec.nodeName=node-1' },
        )
      ).items,
    ).toHaveLength(1);
  });

  test('if it is unreachable', async () => {
    expect(await seenIn(anOpenNode({ ready: 'Unknown' }))).toBe('schedulable');
  });
});

test('a Node whose owner is unknown is none, whatever is on it', async () => {
  const world = anOpenNode({ providerID: 'x://other' });
  expect(await seenIn(world)).toBe('unknown');
});

let world: World;
beforeEach(() => {
  world = anOpenNode();
  world.workload.put('pods', onNode('shop/a'));
});

const aWorker = (parts: Parameters<typeof aSubject>[0] = {}): Subject =>
  aSubject({ dialect: beside(), ...parts });
const seen = (subject = aWorker(), snapshot = openSnapshot(world.env, subject)) =>
  observeDrain(snapshot, subject);

describe('a Node with a Pod that must go', () => {
  test('is not read before it is cordoned', async () => {
    expect(await seen()).toEqual({ kind: 'unread', name: 'node-1', proof: { providerId: 'x://m-1' } });
    expect(world.workload.reads).toEqual(['list pods']);
  });

  test('is cordoned by the UID as well, if the Machine names one', async () => {
    const subject = aWorker({ machine: { nodeUid: 'node-uid-1' } });
    expect(await seen(subject)).toMatchObject({ proof: { providerId: 'x://m-1', uid: 'node-uid-1' } });
  });

  const { providerId: _, ...withoutId } = aMachine();
  test.each<[where: string, subject: Subject]>([
    ['in the place of the controller', aSubject()],
    ['beside OpenShift', aWorker({ dialect: besideOfOpenShift() })],
    ['of the control plane', aWorker({ machine: { isControlPlane: true } })],
    ['of a Machine without a providerID', { ...aWorker(), machine: withoutId }],
    ['of a Machine whose deletion has begun', aWorker({ annotations: atCheckpoint(aCheckpoint()) })],
  ])('is read where it is one %s', async (_where, subject) => {
    await seen(subject);
    expect(world.workload.reads).toContain('get nodes/node-1');
  });

  test('is held where another Machine has its providerID', async () => {
    world.management.put('machines', aRival(undefined, 'x://m-1'));
    expect((await seen()).kind).toBe('unknown');
  });

  test('is read where its Pods cannot be listed', async () => {
    world.workload.on('list pods', () => {
      throw new Unavailable('connection refused');
    });
    expect((await seen()).kind).toBe('schedulable');
  });
});

test('a Node without such a Pod is read', async () => {
  world.workload.drop('pods/shop/a');
  await seen();
  expect(world.workload.reads).toContain('get nodes/node-1');
});
