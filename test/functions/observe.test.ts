import { describe, expect, test } from 'vitest';
import { phaseFunctions } from '../../infra/host/phases.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import type { Checkpoint } from '../../shared/machine/checkpoint.ts';
import type { Phase } from '../../shared/machine/phase.ts';
import type { PhaseOutcome } from '../../shared/machine/reason.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../builders/cluster-api.ts';
import { pod } from '../builders/pods.ts';
import { aNode } from '../builders/subject.ts';
import { aCommand, aRival, atCheckpoint, aWorld, savedCheckpoint, type World } from '../builders/world.ts';

// Each phase over a whole world: what it reads, what it does, and above all what it leaves alone.

function at(phase: Phase, checkpoint: Partial<Checkpoint> = {}, overrides = {}): World {
  const annotations = atCheckpoint(aCheckpoint({ seq: 1, phase, ...checkpoint }));
  return aWorld(aRawMachine({ annotations, ...overrides }));
}
const step = (world: World, phase: Phase) =>
  reconcilePhase(world.env, phaseFunctions[phase], aCommand({ phase }));
const onNode = (name: string, parts = {}) => ({ ...pod(name, parts), spec: { nodeName: 'node-1' } });
const isDestructive = (line: string) => /^(evict|delete|patch nodes)/.test(line);
const done = ({ log }: World) => log.filter(isDestructive);
const noAnswer = () => {
  throw new Unavailable('no answer');
};

const forbidden = () => {
  throw new Unavailable('403 Forbidden: no answer for you');
};
/** Spares the Pods of a team's Namespaces. */
const skipTeam = {
  metadata: { namespace: 'default', name: 'team' },
  spec: {
    drain: { behavior: 'Skip' },
    pods: [{ namespaceSelector: { matchLabels: { team: 'a' } } }],
  },
};

describe('drain', () => {
  test('cordons before it lists Pods, and evicts in the same step', async () => {
    const world = at('drain');
    world.workload.put('nodes', aNode({ unschedulable: false }));
    world.workload.put('pods', onNode('ns/b'));
    world.workload.put('pods', onNode('ns/a'));
    await step(world, 'drain');
    expect(done(world)).toEqual(['patch nodes/node-1', 'evict pods/ns/a', 'evict pods/ns/b']);
    expect(world.workload.patches).toEqual([
      {
        path: 'nodes/node-1',
        patch: { metadata: { uid: 'node-uid-1' }, spec: { unschedulable: true } },
      },
    ]);
  });

  test('of an empty Node is passed, and remembers whose Node it was', async () => {
    const world = at('drain');
    const result = await step(world, 'drain');
    expect(result.next).toMatchObject({ phase: 'volume-detach' });
    expect(savedCheckpoint(world)).toMatchObject({ node: 'node-uid-1', passed: { drain: { as: 'done' } } });
    expect(done(world)).toEqual([]);
  });

  test('of a Node that somebody deletes, and a finalizer holds, goes on: its Pods run as before', async () => {
    const world = at('drain');
    world.workload.put('nodes', aNode({ deletionTimestamp: timeAfter(5) }));
    world.workload.put('pods', onNode('ns/a'));
    expect((await step(world, 'drain')).next).toBeUndefined();
    expect(done(world)).toEqual(['evict pods/ns/a']);
  });

  test('of a Node that has gone is passed', async () => {
    const world = at('drain');
    world.workload.drop('nodes/node-1');
    expect((await step(world, 'drain')).next).toMatchObject({ phase: 'volume-detach' });
  });

  test.each<[string, (world: World) => void]>([
    ['the infrastructure', ({ management }) => management.on('get servers/default/m-1', noAnswer)],
    ['the kind of the infrastructure', ({ management }) => management.on('discover Server', noAnswer)],
    ['the Node', ({ workload }) => workload.on('get nodes/node-1', noAnswer)],
    ['the Pods', ({ workload }) => workload.on('list pods', noAnswer)],
    ['a DaemonSet', ({ workload }) => workload.on('get daemonsets/ns/d', noAnswer)],
    ['the rules', ({ management }) => management.on('list machinedrainrules', noAnswer)],
    ['whether there are rules', ({ management }) => management.on('discover MachineDrainRule', noAnswer)],
    ['whether rules may be read', ({ management }) => management.on('list machinedrainrules', forbidden)],
    ['the Namespaces that rules ask for', ({ workload }) => workload.on('list namespaces', noAnswer)],
  ])('touches nothing while %s cannot be read', async (_what, outage) => {
    const world = at('drain');
    world.workload.put('pods', onNode('ns/a'));
    world.workload.put('pods', onNode('ns/d-1', { owner: { kind: 'DaemonSet', name: 'd' } }));
    world.management.put('machinedrainrules', skipTeam);
    outage(world);
    const result = await step(world, 'drain');
    expect(done(world)).toEqual([]);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', seq: 1 });
    expect(result.facts).toMatchObject([{ kind: 'failed', error: expect.stringContaining('no answer') }]);
  });

  test.each<[string, (world: World) => void]>([
    ['is gone', ({ management }) => management.drop('servers/default/m-1')],
    [
      'is going',
      ({ management }) =>
        management.change('servers/default/m-1', { metadata: { deletionTimestamp: timeAfter(5) } }),
    ],
  ])('does not apply when the infrastructure %s', async (_what, meanwhile) => {
    const world = at('drain');
    world.workload.put('pods', onNode('ns/a'));
    meanwhile(world);
    await step(world, 'drain');
    expect(done(world)).toEqual([]);
    expect(world.workload.reads).toEqual([]);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { drain: { as: 'not-applicable' } } });
  });

  test('is over with its timeout, whatever is on the Node, and nothing is read for that', async () => {
    const world = at(
      'drain',
      {},
      {
        spec: { deletion: { nodeDrainTimeoutSeconds: 9 } },
        status: { deletion: { nodeDrainStartTime: timeAfter(1) } },
      },
    );
    world.workload.put('pods', onNode('ns/a'));
    await step(world, 'drain');
    expect(done(world)).toEqual([]);
    expect(world.workload.reads).toEqual([]);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { drain: { as: 'timed-out' } } });
  });

  test.each<[string, (world: World) => void]>([
    [
      'the Cluster is being deleted',
      ({ management }) =>
        management.change('clusters/default/c', {
          metadata: { deletionTimestamp: timeAfter(5), finalizers: ['example.com/x'] },
        }),
    ],
    [
      'the last control plane Machine has gone',
      ({ management }) => {
        for (const name of ['cp-1', 'cp-2', 'cp-3']) management.drop(`machines/default/${name}`);
      },
    ],
  ])('ends in its midst when %s, and so does the wait for volumes', async (_what, meanwhile) => {
    for (const phase of ['drain', 'volume-detach'] as const) {
      const world = at(phase, {
        passed: phase === 'drain' ? {} : { drain: { as: 'done', since: timeAfter(0) } },
      });
      world.workload.put('pods', onNode('ns/a'));
      world.workload.put('nodes', aNode({ volumesAttached: ['kubernetes.io/csi/d^1'] }));
      meanwhile(world);
      expect((await step(world, phase)).next).toMatchObject({ phase: 'infrastructure' });
      expect(world.workload.reads).toEqual([]);
      expect(done(world)).toEqual([]);
      expect(savedCheckpoint(world)).toMatchObject({ passed: { [phase]: { as: 'not-applicable' } } });
    }
  });

  test.each<[string, number, string[]]>([
    ['as long as its deletion may still show', 20, []],
    ['and is evicted again when it never does', 21, ['evict pods/ns/a']],
  ])('believes that an eviction was accepted %s', async (_when, seconds, evictions) => {
    const world = at('drain');
    const stored = world.workload.put('pods', onNode('ns/a'));
    const { uid = '', namespace = '', name } = stored.metadata;
    const eviction = { podUid: uid, namespace, name, at: after(10), outcome: 'accepted' as const };
    await world.env.store.recordEvictions(aCommand().machine, [eviction]);
    world.log.length = 0;
    world.time.now = after(10 + seconds);
    await step(world, 'drain');
    expect(done(world)).toEqual(evictions);
  });

  test('evicts no Pod twice', async () => {
    const world = at('drain');
    world.workload.put('pods', onNode('ns/a'));
    for (let time = 0; time < 3; time += 1) await step(world, 'drain');
    expect(done(world)).toEqual(['evict pods/ns/a']);
  });
});

/** A Pod is on a Node that somebody uncordoned, after a drain that was passed so. */
function shutWorld(
  as: PhaseOutcome,
  { overrides = {}, annotations = {} }: { overrides?: object; annotations?: Record<string, string> },
): World {
  const passed = { drain: { as, since: timeAfter(0) } };
  const checkpoint = aCheckpoint({ seq: 1, phase: 'volume-detach', passed });
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(checkpoint, annotations), ...overrides }));
  world.workload.put('nodes', aNode({ unschedulable: false }));
  world.workload.put('pods', onNode('ns/back'));
  return world;
}

describe('volume-detach', () => {
  const drained = { passed: { drain: { as: 'done' as const, since: timeAfter(0) } } };
  const volume = 'kubernetes.io/csi/d^1';

  const lately = { ...drained, since: timeAfter(6) };
  const later = { ...drained, since: timeAfter(16) };

  test('of a Node with nothing attached reads no volumes, no Pods and no rules', async () => {
    const world = at('volume-detach', lately);
    expect((await step(world, 'volume-detach')).next).toMatchObject({ phase: 'infrastructure' });
    expect(world.workload.reads).toEqual(['get nodes/node-1', 'list volumeattachments']);
    expect(world.management.reads).not.toContain('get servers/default/m-1');
  });

  test('without a drain before it is the same', async () => {
    const world = at('volume-detach');
    expect((await step(world, 'volume-detach')).next).toMatchObject({ phase: 'infrastructure' });
  });

  test('after a drain that met the gate closed asks for the gate before it reads anything else', async () => {
    const world = at('volume-detach', { passed: { drain: { as: 'not-applicable', since: timeAfter(0) } } });
    world.management.change('servers/default/m-1', { metadata: { deletionTimestamp: timeAfter(5) } });
    await step(world, 'volume-detach');
    expect(world.workload.reads).toEqual([]);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { 'volume-detach': { as: 'not-applicable' } } });
  });

  test('is not passed while Pods cannot be judged', async () => {
    const world = at('volume-detach', drained);
    world.workload.put('nodes', aNode({ volumesAttached: [volume] }));
    world.workload.put('pods', onNode('ns/a'));
    world.management.put('machinedrainrules', {
      metadata: { namespace: 'default', name: 'odd' },
      spec: { drain: { behavior: 'Evict' } },
    });
    const result = await step(world, 'volume-detach');
    expect(result.next).toBeUndefined();
    expect(result.facts).toMatchObject([{ kind: 'failed', error: expect.stringContaining('odd') }]);
  });

  test('is not passed over an attachment of which nothing says what it attaches', async () => {
    const world = at('volume-detach', drained);
    world.workload.put('volumeattachments', {
      metadata: { name: 'a' },
      spec: { nodeName: 'node-1', source: {} },
      status: { attached: true },
    });
    const result = await step(world, 'volume-detach');
    expect(result.next).toBeUndefined();
    expect(result.facts).toMatchObject([{ kind: 'failed' }]);
  });

  test('waits for what is attached', async () => {
    const world = at('volume-detach', drained);
    world.workload.put('nodes', aNode({ volumesAttached: [volume] }));
    const result = await step(world, 'volume-detach');
    expect(result.next).toBeUndefined();
    expect(world.kept[0]?.until).toMatchObject([
      { kind: 'volumes-detached', attached: [volume] },
      { kind: 'time' },
    ]);
  });

  test('steps back when a Pod that must go has appeared again', async () => {
    const world = at('volume-detach', drained);
    world.workload.put('nodes', aNode({ volumesAttached: [volume] }));
    world.workload.put('pods', onNode('ns/back'));
    expect((await step(world, 'volume-detach')).next).toMatchObject({ phase: 'drain', seq: 2 });
  });

  test.each<[string, Partial<Checkpoint>, { unschedulable: boolean }]>([
    ['its volumes were waited for', drained, { unschedulable: true }],
    ['the clock was set back since it was drained', later, { unschedulable: true }],
    ['somebody has uncordoned it', lately, { unschedulable: false }],
  ])('looks at Pods once more when %s, though nothing is attached', async (_why, checkpoint, node) => {
    const world = at('volume-detach', checkpoint);
    world.workload.put('nodes', aNode(node));
    world.workload.put('pods', onNode('ns/back'));
    expect((await step(world, 'volume-detach')).next).toMatchObject({ phase: 'drain', seq: 2 });
    const empty = at('volume-detach', checkpoint);
    empty.workload.put('nodes', aNode(node));
    const phase = node.unschedulable ? 'infrastructure' : 'drain';
    expect((await step(empty, 'volume-detach')).next).toMatchObject({ phase });
    expect(empty.workload.reads).toEqual(['get nodes/node-1', 'list volumeattachments', 'list pods']);
  });

  const limited = { spec: { deletion: { nodeDrainTimeoutSeconds: 1 } } };
  const excluded = { 'machine.cluster.x-k8s.io/exclude-node-draining': '' };

  test.each<[as: PhaseOutcome, why: string, shut: Parameters<typeof shutWorld>[1]]>([
    ['timed-out', 'whose time is over', { overrides: limited }],
    ['excluded', 'that it is excluded from', { annotations: excluded }],
    ['done', 'whose time is over by now', { overrides: limited }],
  ])('does not take up again a drain passed as %s %s', async (as, _why, shut) => {
    const world = shutWorld(as, shut);
    expect((await step(world, 'volume-detach')).next).toMatchObject({ phase: 'infrastructure' });
  });

  test.each<[as: PhaseOutcome, why: string]>([
    ['timed-out', 'and has more time now'],
    ['excluded', 'and is excluded no more'],
    ['not-applicable', 'and has a Node now'],
  ])('takes up a drain that was passed as %s %s', async (as) => {
    const world = shutWorld(as, {});
    expect((await step(world, 'volume-detach')).next).toMatchObject({ phase: 'drain', seq: 2 });
    const since = as === 'timed-out' ? timeAfter(0) : new Date(after(10)).toISOString();
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', since });
  });

  test('drains a Node nobody hears from again when a Pod has come there since', async () => {
    const world = at('volume-detach', drained);
    world.workload.put('nodes', aNode({ volumesAttached: [volume], ready: 'Unknown' }));
    world.workload.put('pods', onNode('ns/back'));
    expect((await step(world, 'volume-detach')).next).toMatchObject({ phase: 'drain', seq: 2 });
  });

  test('leaves a Node nobody hears from as it is once its infrastructure is gone', async () => {
    const world = at('volume-detach', drained);
    world.workload.put('nodes', aNode({ ready: 'Unknown' }));
    world.workload.put('pods', onNode('ns/back'));
    world.management.drop('servers/default/m-1');
    expect((await step(world, 'volume-detach')).next).toMatchObject({ phase: 'infrastructure' });
  });

  test('does not leave a Node nobody hears from while nobody can tell which Pods have to go', async () => {
    const world = at('volume-detach', drained);
    world.workload.put('nodes', aNode({ ready: 'Unknown' }));
    world.workload.put('pods', onNode('ns/back'));
    world.management.put('machinedrainrules', {
      metadata: { namespace: 'default', name: 'odd' },
      spec: { drain: { behavior: 'Evict' } },
    });
    const { facts } = await step(world, 'volume-detach');
    expect(facts).toMatchObject([{ kind: 'failed', error: expect.stringContaining('odd') }]);
  });

  test('looks at Pods at once where the drain was passed over and nothing closes it any more', async () => {
    const passed = { drain: { as: 'excluded', since: timeAfter(8) } } as const;
    const world = at('volume-detach', { since: timeAfter(8), passed });
    world.workload.put('pods', onNode('ns/back'));
    expect((await step(world, 'volume-detach')).next).toMatchObject({ phase: 'drain' });
  });

  test('leaves those of them that were asked long ago: nobody would hear of their end', async () => {
    const world = at('volume-detach', drained);
    world.workload.put('nodes', aNode({ ready: 'Unknown' }));
    world.workload.put('pods', onNode('ns/old', { deletionTimestamp: timeAfter(1) }));
    expect((await step(world, 'volume-detach')).next).toMatchObject({ phase: 'infrastructure' });
  });

  test('of a Node nobody hears from is passed: nobody would detach', async () => {
    const world = at('volume-detach', drained);
    world.workload.put('nodes', aNode({ volumesAttached: [volume], ready: 'Unknown' }));
    expect((await step(world, 'volume-detach')).next).toMatchObject({ phase: 'infrastructure' });
  });

  test.each<[string, (world: World) => void]>([
    ['the Node', ({ workload }) => workload.on('get nodes/node-1', noAnswer)],
    ['attachments', ({ workload }) => workload.on('list volumeattachments', noAnswer)],
    ['volumes', ({ workload }) => workload.on('list persistentvolumes', noAnswer)],
    ['the infrastructure', ({ management }) => management.on('get servers/default/m-1', noAnswer)],
  ])('is not passed while %s cannot be read', async (_what, outage) => {
    const world = at('volume-detach', drained);
    world.workload.put('nodes', aNode({ volumesAttached: [volume] }));
    outage(world);
    const result = await step(world, 'volume-detach');
    expect(result.next).toBeUndefined();
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'volume-detach', seq: 1 });
  });
});

describe('infrastructure', () => {
  test.each<[string, { retryAfterSeconds?: number }, number]>([
    ['soon', {}, 5],
    ['when the API asks for it', { retryAfterSeconds: 17 }, 17],
  ])('that could not be asked to go is told so, and asked again %s', async (_when, options, seconds) => {
    const world = at('infrastructure');
    world.management.on('delete servers/default/m-1', () => {
      throw new Unavailable('no answer', options);
    });
    const { facts } = await step(world, 'infrastructure');
    expect(facts).toMatchObject([{ kind: 'failed', error: 'failed to delete: no answer' }]);
    const due = await world.env.store.due(after(60), 10);
    expect(due).toMatchObject([{ at: after(10 + seconds) }]);
    expect(JSON.stringify(world.management.at('machines/default/m-1'))).toContain(
      'Failed to delete Server, please check controller logs for errors',
    );
  });

  test('in which a mistake of ours shows is not said to be undeleted', async () => {
    const world = at('infrastructure');
    world.management.on('delete servers/default/m-1', () => {
      throw new TypeError('a defect');
    });
    await expect(step(world, 'infrastructure')).rejects.toThrow('a defect');
  });

  test('is deleted once, and waited for', async () => {
    const world = at('infrastructure');
    for (let time = 0; time < 3; time += 1) await step(world, 'infrastructure');
    expect(done(world)).toEqual(['delete servers/default/m-1']);
    world.management.drop('servers/default/m-1');
    expect((await step(world, 'infrastructure')).next).toMatchObject({ phase: 'bootstrap' });
  });

  test('that cannot be read is neither deleted nor passed', async () => {
    const world = at('infrastructure');
    world.management.on('get servers/default/m-1', noAnswer);
    expect((await step(world, 'infrastructure')).next).toBeUndefined();
    expect(done(world)).toEqual([]);
  });
});

test('a bootstrap config that nothing holds is deleted and passed in one step', async () => {
  const world = at('bootstrap');
  expect((await step(world, 'bootstrap')).next).toMatchObject({ phase: 'node' });
  expect(done(world)).toEqual(['delete configs/default/m-1']);
});

const drained = (as: PhaseOutcome) => ({ drain: { as, since: timeAfter(1) } });

describe('node', () => {
  test('that this instance has drained is deleted at first without being read', async () => {
    const world = at('node', { node: 'node-uid-1', since: timeAfter(10), passed: drained('done') });
    world.env.cache.note('uid-1', { ownNode: { name: 'node-1', uid: 'node-uid-1' } });
    expect((await step(world, 'node')).next).toMatchObject({ phase: 'finalize' });
    expect(done(world)).toEqual(['delete nodes/node-1']);
    expect(world.workload.reads).toEqual([]);
    expect(world.workload.at('nodes/node-1')).toBeUndefined();
  });

  test('that was only looked at is read before it is deleted, and left when it is of another server', async () => {
    const world = at('node', { node: 'node-uid-1', since: timeAfter(10), passed: drained('excluded') });
    world.management.put('machines', aRival());
    world.workload.put('nodes', aNode({ providerID: 'x://other' }));
    expect((await step(world, 'node')).next).toMatchObject({ phase: 'finalize' });
    expect(done(world)).toEqual([]);
    expect(world.workload.reads).toEqual(['get nodes/node-1', 'list nodes']);
  });

  test('that another instance has drained is read before it is deleted', async () => {
    const world = at('node', { node: 'node-uid-1', since: timeAfter(10), passed: drained('done') });
    await step(world, 'node');
    expect(world.workload.reads).toEqual(['get nodes/node-1']);
    expect(done(world)).toEqual(['delete nodes/node-1']);
  });

  test('that is known for a second is read before it is deleted', async () => {
    const world = at('node', { node: 'node-uid-1', since: timeAfter(9), passed: drained('done') });
    await step(world, 'node');
    expect(world.workload.reads).toEqual(['get nodes/node-1']);
    expect(done(world)).toEqual(['delete nodes/node-1']);
  });

  test('that the Machine never had is passed without a look', async () => {
    const world = at('node', {}, { spec: { providerID: undefined }, status: { nodeRef: undefined } });
    expect((await step(world, 'node')).next).toMatchObject({ phase: 'finalize' });
    expect(world.workload.reads).toEqual([]);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { node: { as: 'not-applicable' } } });
  });

  test('that says nothing at all of itself is left: whose it is is unknown', async () => {
    const world = at('node');
    const { spec: _, ...bare } = aNode();
    world.workload.put('nodes', bare);
    expect((await step(world, 'node')).next).toMatchObject({ phase: 'finalize' });
    expect(done(world)).toEqual([]);
  });

  test('that somebody holds on to is not deleted again, and not waited for', async () => {
    const world = at('node', { node: 'node-uid-1' });
    world.workload.put('nodes', aNode({ deletionTimestamp: timeAfter(5) }));
    expect((await step(world, 'node')).next).toMatchObject({ phase: 'finalize' });
    expect(done(world)).toEqual([]);
    expect(world.workload.reads).toEqual(['get nodes/node-1']);
  });

  test('of another UID under the same name is left alone', async () => {
    const world = at('node', { node: 'node-uid-0' });
    world.management.put('machines', aRival());
    world.workload.put('nodes', aNode({ providerID: 'x://other' }));
    expect((await step(world, 'node')).next).toMatchObject({ phase: 'finalize' });
    expect(world.workload.at('nodes/node-1')).toBeDefined();
    // The Machine's own Node is gone: that is what was to be done.
    expect(savedCheckpoint(world)).toMatchObject({ passed: { node: { as: 'done' } } });
  });

  test('of another server is left alone', async () => {
    const world = at('node');
    world.management.put('machines', aRival());
    world.workload.put('nodes', aNode({ providerID: 'x://other' }));
    expect((await step(world, 'node')).next).toMatchObject({ phase: 'finalize' });
    expect(done(world)).toEqual([]);
  });

  test.each([undefined, ''])(
    "that does not say which server it is (%j) is the Machine's own by its UID",
    async (providerID) => {
      const nodeRef = { name: 'node-1', uid: 'node-uid-1' };
      const world = at('node', {}, { status: { nodeRef } });
      const { spec, ...rest } = aNode();
      world.workload.put('nodes', { ...rest, spec: { ...spec, providerID } });
      expect((await step(world, 'node')).next).toMatchObject({ phase: 'finalize' });
      expect(done(world)).toEqual(['delete nodes/node-1']);
    },
  );

  test('is left alone while the Cluster is being deleted', async () => {
    const world = at('node', { node: 'node-uid-1' });
    world.management.put('clusters', {
      metadata: { namespace: 'default', name: 'c', deletionTimestamp: timeAfter(0), finalizers: ['a'] },
    });
    expect((await step(world, 'node')).next).toMatchObject({ phase: 'finalize' });
    expect(done(world)).toEqual([]);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { node: { as: 'not-applicable' } } });
  });
});
