import { beforeEach, describe, expect, test } from 'vitest';
import { drain } from '../../functions/drain.ts';
import { recordAt } from '../../shared/dialects/fields.ts';
import type { WriteOutcome } from '../../shared/kubernetes/client.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { beside, ourHook } from '../builders/beside.ts';
import { aRawMachine } from '../builders/cluster-api.ts';
import { pod } from '../builders/pods.ts';
import { aNode } from '../builders/subject.ts';
import { aCommand, aWorld, type World } from '../builders/world.ts';

const cordon = 'json-patch nodes/node-1';

/** A worker whose Node has a Pod that must go. */
function aWorker(node: Parameters<typeof aNode>[0] = {}): World {
  const world = aWorld(aRawMachine({ annotations: { [ourHook]: 'phaseout.dev' } }));
  world.env.dialects = [beside()];
  world.workload.put('nodes', aNode({ unschedulable: false, ...node }));
  world.workload.put('pods', { ...pod('shop/a'), spec: { nodeName: 'node-1' } });
  return world;
}

let world: World;
const step = () => reconcilePhase(world.env, drain, aCommand({ phase: 'drain' }));
const isCordoned = () => recordAt(world.workload.at('nodes/node-1'), 'spec')['unschedulable'];
const drained = () =>
  world.log.filter((entry) => [cordon, 'patch nodes/node-1', 'evict pods/shop/a'].includes(entry));

describe('a Node that is the Machine’s own', () => {
  beforeEach(() => {
    world = aWorker();
  });

  test('is cordoned and drained by one list of its Pods, and no read of it', async () => {
    await step();
    expect(drained()).toEqual([cordon, 'evict pods/shop/a']);
    expect(isCordoned()).toBe(true);
    expect(world.workload.reads[0]).toBe('list pods');
    expect(world.workload.reads).not.toContain('get nodes/node-1');
  });

  test('is cordoned only if it has what the Machine says of it', async () => {
    await step();
    expect(world.workload.patches).toContainEqual({
      path: 'nodes/node-1',
      patch: [
        { op: 'test', path: '/spec/providerID', value: 'x://m-1' },
        { op: 'add', path: '/spec/unschedulable', value: true },
      ],
    });
  });

  test('is not drained without a cordon', async () => {
    world.workload.on(cordon, (): WriteOutcome => ({ kind: 'refused', code: 403, message: 'forbidden' }));
    await step();
    expect(drained()).toEqual([cordon]);
    expect(world.said).toContain('Deletion is held up');
  });

  test('is not drained while its API is away', async () => {
    world.workload.on(cordon, () => {
      throw new Unavailable('connection refused');
    });
    await step();
    expect(drained()).toEqual([cordon]);
  });
});

test('another server’s Node is neither cordoned nor drained', async () => {
  world = aWorker({ providerID: 'x://other' });
  await step();
  expect(drained()).toEqual([cordon]);
  expect(isCordoned()).toBe(false);
});

test('a Node that tells no providerID is read, and held', async () => {
  world = aWorker({ providerID: '' });
  await step();
  expect(world.workload.reads).toContain('get nodes/node-1');
  expect(isCordoned()).toBe(false);
});

test('a Node that has gone meanwhile is no more to drain', async () => {
  world = aWorker();
  world.workload.on(cordon, (): WriteOutcome => {
    world.workload.drop('nodes/node-1');
    return { kind: 'gone' };
  });
  await step();
  expect(drained()).toEqual([cordon]);
});
