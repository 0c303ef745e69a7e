import { describe, expect, test } from 'vitest';
import { phaseFunctions } from '../../infra/host/phases.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { aCheckpoint, aRawMachine, timeAfter } from '../builders/cluster-api.ts';
import { pod } from '../builders/pods.ts';
import { aNode } from '../builders/subject.ts';
import { aCommand, atCheckpoint, aWorld, savedCheckpoint, type World } from '../builders/world.ts';

// What says that something is attached, over a whole world: a server must not go before its disks.

const since = timeAfter(0);

function detaching(as: 'done' | 'timed-out' = 'done'): World {
  const passed = { drain: { as, since } };
  const checkpoint = aCheckpoint({ seq: 1, phase: 'volume-detach', since, passed });
  // The time of a drain that has timed out is over still.
  const spec = as === 'timed-out' ? { spec: { deletion: { nodeDrainTimeoutSeconds: 1 } } } : {};
  return aWorld(aRawMachine({ annotations: atCheckpoint(checkpoint), ...spec }));
}

const step = ({ env }: World) =>
  reconcilePhase(env, phaseFunctions['volume-detach'], aCommand({ phase: 'volume-detach' }));

const onNode = (name: string, parts = {}) => ({ ...pod(name, parts), spec: { nodeName: 'node-1' } });

const attachmentTo = (nodeName: string, metadata = {}) => ({
  metadata: { name: 'va-1', ...metadata },
  spec: { nodeName, source: { persistentVolumeName: 'pv-1' } },
  status: { attached: true },
});

test.each<[string, object]>([
  ['an attachment of which the Node itself says nothing', {}],
  ['an attachment that is being deleted', { deletionTimestamp: since, finalizers: ['external-attacher/x'] }],
])('%s is waited for', async (_what, metadata) => {
  const world = detaching();
  world.workload.put('volumeattachments', attachmentTo('node-1', metadata));
  expect((await step(world)).next).toBeUndefined();
  expect(savedCheckpoint(world)).toMatchObject({ phase: 'volume-detach', seq: 1 });
});

test('volumes of a Node that somebody deletes, and a finalizer holds, are waited for', async () => {
  const world = detaching();
  const volumesAttached = ['kubernetes.io/csi/d^1'];
  world.workload.put('nodes', aNode({ volumesAttached, deletionTimestamp: since }));
  expect((await step(world)).next).toBeUndefined();
  expect(savedCheckpoint(world)).toMatchObject({ phase: 'volume-detach', seq: 1 });
});

test.each<[string, (world: World) => void]>([
  [
    'an attachment is of another Node',
    ({ workload }) => workload.put('volumeattachments', attachmentTo('n')),
  ],
  ['the Node has gone', ({ workload }) => workload.drop('nodes/node-1')],
])('nothing is waited for when %s', async (_why, change) => {
  const world = detaching();
  change(world);
  expect((await step(world)).next).toMatchObject({ phase: 'infrastructure' });
});

test.each<[string, (world: World, fail: () => never) => void]>([
  ['the Pods', ({ workload }, fail) => workload.on('list pods', fail)],
  ['the DaemonSet of a Pod', ({ workload }, fail) => workload.on('get daemonsets/ns/d', fail)],
  ['the rules', ({ management }, fail) => management.on('list machinedrainrules', fail)],
  ['whether there are rules', ({ management }, fail) => management.on('discover MachineDrainRule', fail)],
  ['the Namespaces that rules ask for', ({ workload }, fail) => workload.on('list namespaces', fail)],
])('volumes are not left out on a guess while %s cannot be read', async (_what, outage) => {
  const world = detaching();
  world.workload.put('nodes', aNode({ volumesAttached: ['kubernetes.io/csi/d^1'] }));
  world.workload.put('pods', onNode('ns/d-1', { owner: { kind: 'DaemonSet', name: 'd' } }));
  world.workload.put('pods', onNode('ns/a'));
  world.management.put('machinedrainrules', {
    metadata: { namespace: 'default', name: 'team' },
    spec: { drain: { behavior: 'Skip' }, pods: [{ namespaceSelector: { matchLabels: { team: 'a' } } }] },
  });
  outage(world, () => {
    throw new Unavailable('no answer');
  });
  const result = await step(world);
  expect(result.next).toBeUndefined();
  expect(result.facts).toMatchObject([{ kind: 'failed', error: expect.stringContaining('no answer') }]);
});

test('the volume of a Pod that has been on its way for long is waited for all the same', async () => {
  const world = detaching('timed-out');
  const claim = { kind: 'PersistentVolumeClaim', namespace: 'ns', name: 'data' };
  world.workload.put('persistentvolumes', { metadata: { name: 'pv-1' }, spec: { claimRef: claim } });
  world.workload.put('volumeattachments', attachmentTo('node-1'));
  const stuck = pod('ns/a', { deletionTimestamp: timeAfter(1) });
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  world.workload.put('pods', { ...stuck, spec: { nodeName: 'node-1', volumes } });
  expect((await step(world)).next).toBeUndefined();
  expect(savedCheckpoint(world)).toMatchObject({ phase: 'volume-detach', seq: 1 });
});

function attached() {
  const world = detaching();
  world.workload.put('volumeattachments', attachmentTo('node-1'));
  return world;
}

describe('attached volumes and the infrastructure', () => {
  const going = { metadata: { deletionTimestamp: timeAfter(5) } };

  test.each<[string, (world: World) => void]>([
    ['is gone', ({ management }) => management.drop('servers/default/m-1')],
    ['is being deleted', ({ management }) => management.change('servers/default/m-1', going)],
  ])('are waited for no more when the infrastructure %s', async (_what, change) => {
    const world = attached();
    change(world);
    await step(world);
    expect(savedCheckpoint(world)).toMatchObject({ passed: { 'volume-detach': { as: 'not-applicable' } } });
  });

  test('are left as they are while it cannot be read, and that is said', async () => {
    const world = attached();
    world.management.on('get servers/default/m-1', () => {
      throw new Unavailable('no answer');
    });
    const error = 'the infrastructure object could not be read: no answer';
    expect((await step(world)).facts).toMatchObject([{ kind: 'failed', error }]);
  });
});
