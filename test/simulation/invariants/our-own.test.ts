import { expect, test } from 'vitest';
import { machines } from '../../stories/stage/v1alpha1.ts';
import { management } from '../platform/clusters.ts';
import { pausedIsLeftAlone } from './paused-is-left-alone.ts';
import { openStage } from './stage.ts';

const named = { namespace: 'fleet', name: 'old-1' };
const plan = { api: 'v1alpha1', resource: machines, ...named, host: management, node: 'home-1' } as const;

interface Home {
  /** The Node that instances run on. */
  ownNode: string;
  /** Somebody has made the Node again since. */
  isAnother?: boolean;
}

/** An instance has the server of a Machine deleted that names the Node home-1, which is beside it. */
async function criesAt({ ownNode, isAnother = false }: Home): Promise<string[]> {
  const stage = await openStage(pausedIsLeftAlone, { machines: [plan] });
  const { world, observer } = stage;
  world.config = { ...world.config, ownNode };
  const node = world.management.create('nodes', { metadata: { name: 'home-1' } });
  const machine = world.management.create(machines, {
    apiVersion: 'cluster.k8s.io/v1alpha1',
    kind: 'Machine',
    metadata: { ...named, finalizers: ['machine.cluster.k8s.io'] },
    spec: { providerSpec: {} },
  });
  const nodeRef = { kind: 'Node', name: 'home-1', uid: isAnother ? 'another' : node.metadata.uid };
  world.management.patch(machines, machine, { status: { nodeRef } }, 'status');
  world.management.remove(machines, machine);
  await stage.pass(10);
  stage.ask({ verb: 'get', resource: machines, ...named });
  stage.ask({ verb: 'get', resource: 'nodes', name: 'home-1' });
  await stage.pass(10);
  const call = { instance: 'instance-1', operation: 'delete', machine, cluster: undefined } as const;
  observer.provider?.(call, { kind: 'accepted' });
  return stage.cries;
}

test('the Machine that phaseout runs on is left alone', async () => {
  expect(await criesAt({ ownNode: 'home-1' })).toEqual([
    'instance-1 has the provider delete the server of Machine fleet/old-1: ' +
      'its Machine is to be left alone, phaseout runs on its Node home-1',
  ]);
});

test.each<[string, Home]>([
  ['phaseout runs on another Node', { ownNode: 'home-2' }],
  ['nobody says where phaseout runs', { ownNode: '' }],
  ['the Node of that name is another one than the Machine names', { ownNode: 'home-1', isAnother: true }],
])('a Machine is not left alone where %s', async (_why, home) => {
  expect(await criesAt(home)).toEqual([]);
});
