import { expect, test } from 'vitest';
import { phaseFunctions } from '../../infra/host/phases.ts';
import type { Eviction } from '../../shared/kubernetes/client.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import type { Checkpoint } from '../../shared/machine/checkpoint.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { aCheckpoint, aRawMachine, timeAfter } from '../builders/cluster-api.ts';
import { pod } from '../builders/pods.ts';
import { aNode } from '../builders/subject.ts';
import { aCommand, atCheckpoint, aWorld, savedCheckpoint, type World } from '../builders/world.ts';

// Once an instance knows the Node to be cordoned its Pods come first: what that look may not conclude.

const drain = ({ env }: World) => reconcilePhase(env, phaseFunctions.drain, aCommand());

/** A drain that waits for a Pod, in an instance that remembers the cordon but no rules any more. */
async function waiting(passed: Checkpoint['passed'] = {}): Promise<World> {
  const checkpoint = aCheckpoint({ seq: 1, phase: 'drain', passed });
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(checkpoint) }));
  const refused = { kind: 'refused', cause: 'Failed', text: 'no' } as const;
  Object.assign(world.workload, {
    evictAll: async () => new Map([['ns/a', refused]]),
  });
  world.workload.put('pods', { ...pod('ns/a'), spec: { nodeName: 'node-1' } });
  await drain(world);
  world.time.now += 11_000;
  return world;
}

const invalidRule = {
  metadata: { namespace: 'default', name: 'broken' },
  spec: {
    drain: { behavior: 'Skip' },
    machines: [{ selector: { matchExpressions: [{ key: 'a', operator: 'Sometimes' }] } }],
  },
};

test.each<[string, (world: World) => void]>([
  ['a rule is invalid by then', ({ management }) => void management.put('machinedrainrules', invalidRule)],
  [
    'the rules cannot be read by then',
    ({ management }) =>
      management.on(
        'list machinedrainrules',
        () => {
          throw new Unavailable('no answer');
        },
        2,
      ),
  ],
  [
    'the Pods cannot be read by then',
    ({ workload }) =>
      workload.on(
        'list pods',
        () => {
          throw new Unavailable('no answer');
        },
        2,
      ),
  ],
])('a drain is not over because %s', async (_why, change) => {
  const world = await waiting();
  change(world);
  expect((await drain(world)).next).toBeUndefined();
  expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain', seq: 1 });
});

test('a drain is over when the look finds no Pod, without asking for the Node again', async () => {
  const world = await waiting();
  world.workload.drop('pods/ns/a');
  world.workload.reads.length = 0;
  expect((await drain(world)).next).toMatchObject({ phase: 'volume-detach' });
  expect(world.workload.reads).toEqual(['list pods']);
  // Whose Node it was is known since it was cordoned.
  expect(savedCheckpoint(world)).toMatchObject({ node: 'node-uid-1' });
});

test('a drain that was gone back to asks for the Node: somebody may have uncordoned it', async () => {
  const world = await waiting({ 'volume-detach': { as: 'done', since: timeAfter(1) } });
  world.workload.drop('pods/ns/a');
  world.workload.put('nodes', aNode({ unschedulable: false }));
  world.workload.reads.length = 0;
  await drain(world);
  expect(world.workload.reads).toEqual(['get nodes/node-1', 'list pods']);
  expect(world.workload.at('nodes/node-1')).toMatchObject({ spec: { unschedulable: true } });
});

test.each<[string, object, string]>([
  ['whose time is over', { spec: { deletion: { nodeDrainTimeoutSeconds: 10 } } }, 'timed-out'],
  [
    'that is excluded by then',
    { metadata: { annotations: { 'machine.cluster.x-k8s.io/exclude-node-draining': '' } } },
    'excluded',
  ],
])('a drain %s looks at nothing any more', async (_when, change, as) => {
  const world = await waiting();
  world.management.change('machines/default/m-1', change);
  world.workload.drop('pods/ns/a');
  world.workload.reads.length = 0;
  await drain(world);
  expect(world.workload.reads).toEqual([]);
  expect(savedCheckpoint(world)).toMatchObject({ seq: 2, passed: { drain: { as } } });
});

test('a drain with a rule that is invalid by then evicts nothing: the rule may have spared the Pod', async () => {
  const world = await waiting();
  world.workload.put('pods', { ...pod('ns/new'), spec: { nodeName: 'node-1' } });
  world.management.put('machinedrainrules', invalidRule);
  const asked: Eviction[] = [];
  const evictAll = async (evictions: Eviction[]) => {
    asked.push(...evictions);
    return new Map();
  };
  Object.assign(world.workload, { evictAll });
  expect((await drain(world)).facts).toMatchObject([
    { kind: 'failed', error: expect.stringContaining('invalid selectors in MachineDrainRule broken') },
  ]);
  expect(asked).toEqual([]);
});
