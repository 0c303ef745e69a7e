import { describe, expect, test } from 'vitest';
import { observeDrain } from '../../../shared/observe/drain.ts';
import { observeDetach } from '../../../shared/observe/volume-detach.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import { beside, besideOfOpenShift } from '../../builders/beside.ts';
import { timeAfter } from '../../builders/cluster-api.ts';
import { pod } from '../../builders/pods.ts';
import { aNode, aSubject } from '../../builders/subject.ts';
import { aWorld, type World } from '../../builders/world.ts';

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
    expect(world.workload.reads).toEqual(['get nodes/node-1', 'list pods', 'list volumeattachments']);
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
    expect(await seenIn(world)).toBe('schedulable');
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

test('a Node whose owner is unknown is not looked into', async () => {
  const world = anOpenNode({ providerID: 'x://other' });
  expect(await seenIn(world)).toBe('unknown');
  expect(world.workload.reads).not.toContain('list pods');
});
