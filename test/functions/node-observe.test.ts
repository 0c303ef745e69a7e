import { expect, test } from 'vitest';
import { node } from '../../functions/node.ts';
import type { PhaseOutcome } from '../../shared/machine/reason.ts';
import type { Subject } from '../../shared/phase/definition.ts';
import { openSnapshot } from '../../shared/read/open-snapshot.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { aCheckpoint, aRawMachine, timeAfter } from '../builders/cluster-api.ts';
import { aNode, aSubject } from '../builders/subject.ts';
import { aCommand, aRival, atCheckpoint, aWorld, machinePath, type World } from '../builders/world.ts';

async function observed({ env }: World, subject: Subject) {
  const snapshot = openSnapshot(env, subject);
  const seen = await node.observe(snapshot, subject);
  return { seen, sighting: snapshot.observed.node };
}

const { nodeName: _, ...nameless } = aSubject().machine;

test('a Machine that names no Node has none, and nothing is read for that', async () => {
  const world = aWorld();
  const subject = { ...aSubject({ phase: 'node' }), machine: nameless };
  expect(await observed(world, subject)).toEqual({ seen: { kind: 'absent' }, sighting: { kind: 'unseen' } });
  expect(world.workload.reads).toEqual([]);
});

test('a Node that is there is shown as it is', async () => {
  const world = aWorld();
  expect(await observed(world, aSubject({ phase: 'node' }))).toEqual({
    seen: { kind: 'present', name: 'node-1', uid: 'node-uid-1', isTerminating: false, deletion: undefined },
    sighting: { kind: 'present', object: world.workload.at('nodes/node-1') },
  });
});

test('a Node that has gone is shown as gone', async () => {
  const world = aWorld();
  world.workload.drop('nodes/node-1');
  expect(await observed(world, aSubject({ phase: 'node' }))).toEqual({
    seen: { kind: 'absent' },
    sighting: { kind: 'absent' },
  });
});

/** Its own server is gone by then. Without a drain, phaseout knows a Node by its name alone. */
test.each([
  ['is left alone', {}],
  ['is left alone although somebody has changed the Machine meanwhile', { labels: { changed: 'meanwhile' } }],
])('a Node that has taken the place of the one that was to be deleted %s', async (_what, metadata) => {
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(aCheckpoint({ seq: 6, phase: 'node' })) }));
  world.workload.on('delete nodes/node-1', () => {
    world.workload.put('nodes', aNode({ uid: 'node-uid-2', providerID: '' }));
    if (Object.keys(metadata).length > 0) world.management.change(machinePath, { metadata });
  });
  const { next } = await reconcilePhase(world.env, node, aCommand({ phase: 'node', seq: 6 }));
  expect(next?.phase).toBe('finalize');
  expect(world.log.filter((line) => line.startsWith('delete'))).toEqual(['delete nodes/node-1']);
  expect(world.workload.at('nodes/node-1')?.metadata.uid).toBe('node-uid-2');
});

test('of a Node of another server it is said which server each is of', async () => {
  const world = aWorld();
  world.management.put('machines', aRival());
  world.workload.put('nodes', aNode({ providerID: 'x://other' }));
  expect((await observed(world, aSubject({ phase: 'node' }))).seen).toEqual({
    kind: 'foreign',
    why: "Node node-1 is another server's and is left alone: it has providerID x://other; the Machine has x://m-1 and names no UID; Machine default/m-9 has this providerID; no Node has the Machine's providerID",
  });
});

test.each<[how: string, as: PhaseOutcome, kind: string]>([
  ['was drained by an earlier version', 'done', 'foreign'],
  ['was to be drained until its time was over', 'timed-out', 'foreign'],
  ['was only looked at, since no drain is wanted', 'excluded', 'foreign'],
  ['was only looked at, since no drain applies', 'not-applicable', 'foreign'],
])('a Node of another server that %s (drain %s) is seen as %s', async (_how, as, kind) => {
  const world = aWorld();
  world.management.put('machines', aRival());
  world.workload.put('nodes', aNode({ providerID: 'x://other' }));
  const passed = { drain: { as, since: timeAfter(1) } };
  const subject = aSubject({ phase: 'node', checkpoint: { passed, node: 'node-uid-1' } });
  expect((await observed(world, subject)).seen).toMatchObject({ kind });
});

test.each<[what: string, machine: Partial<Subject['machine']>, providerID: string, kind: string]>([
  ['the Machine knows no server', { providerId: '', nodeUid: 'node-uid-0' }, 'x://m-1', 'foreign'],
  ['the Node tells of no server', { nodeUid: 'node-uid-0' }, '', 'foreign'],
  ['both are of one server', { nodeUid: 'node-uid-0' }, 'x://m-1', 'present'],
  ['it is the one that the Machine names', { providerId: '', nodeUid: 'node-uid-1' }, '', 'present'],
  ['the Machine names it by its name alone', { providerId: '' }, '', 'foreign'],
])(
  'a Node that may have another UID than the nodeRef, where %s',
  async (_what, machine, providerID, kind) => {
    const world = aWorld();
    world.workload.put('nodes', aNode({ providerID }));
    expect((await observed(world, aSubject({ phase: 'node', machine }))).seen).toMatchObject({ kind });
  },
);

test('of a Node that is none that the Machine names it is said which each is', async () => {
  const world = aWorld();
  const machine = { providerId: '', nodeUid: 'node-uid-0' };
  expect((await observed(world, aSubject({ phase: 'node', machine }))).seen).toEqual({
    kind: 'foreign',
    why: "whether Node node-1 is the Machine's own is unknown: it has providerID x://m-1 and UID node-uid-1; the Machine has no providerID and names UID node-uid-0; no other Machine claims it. This ends when its nodeRef or a providerID is corrected, the Machine is excluded from the drain, or its Cluster or control plane is deleted",
  });
});
