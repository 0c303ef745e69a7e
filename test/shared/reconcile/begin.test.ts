import { expect, test } from 'vitest';
import { drain } from '../../../functions/drain.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCluster, timeAfter } from '../../builders/cluster-api.ts';
import { aCommand, aWorld, machinePath, savedCheckpoint, type World } from '../../builders/world.ts';

/** Its Cluster is being deleted: the deletion of its Machine begins at the infrastructure. */
function aWorldThatEnds(): World {
  const world = aWorld();
  const metadata = { namespace: 'default', name: 'c', deletionTimestamp: timeAfter(0) };
  world.management.put('clusters', aCluster({ metadata }));
  return world;
}
const begin = ({ env }: World) => reconcilePhase(env, drain, aCommand({ seq: 0 }));
const save = `patch ${machinePath}`;

test('where a deletion begins is saved before it is handed on', async () => {
  const world = aWorldThatEnds();
  const { next, facts } = await begin(world);
  expect(world.log).toEqual(['claim', save, 'release']);
  expect(savedCheckpoint(world)).toMatchObject({ phase: 'infrastructure', seq: 0 });
  expect(next).toEqual(
    aCommand({
      phase: 'infrastructure',
      seq: 0,
      resourceVersion: world.management.at(machinePath)?.metadata.resourceVersion ?? '',
    }),
  );
  expect(facts).toMatchObject([{ kind: 'started', phase: 'infrastructure', seq: 0 }]);
});

test('it is handed on after a new look where somebody has written the Machine meanwhile', async () => {
  const world = aWorldThatEnds();
  world.management.on(save, () => ({ kind: 'conflict', message: 'the object has been modified' }));
  const { next, facts } = await begin(world);
  expect(world.log).toEqual(['claim', save, save, 'release']);
  expect(next).toMatchObject({ phase: 'infrastructure', seq: 0 });
  expect(facts.map(({ kind }) => kind)).toEqual(['started']);
});

test('it is handed on to nobody where the Machine has gone meanwhile', async () => {
  const world = aWorldThatEnds();
  world.management.on(save, () => world.management.drop(machinePath));
  expect(await begin(world)).toEqual({ facts: [] });
  expect(await world.env.store.due(world.time.now + 3_600_000, 10)).toEqual([]);
});
