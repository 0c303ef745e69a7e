import { describe, expect, test } from 'vitest';
import { node } from '../../functions/node.ts';
import { clusterApi } from '../../shared/dialects/capi/index.ts';
import type { Dialect } from '../../shared/dialects/dialect.ts';
import { originalApi } from '../../shared/dialects/v1alpha1/index.ts';
import { NoCredentials, Unavailable } from '../../shared/kubernetes/errors.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { aCheckpoint, aRawMachine } from '../builders/cluster-api.ts';
import { aCommand, atCheckpoint, aWorld, savedCheckpoint } from '../builders/world.ts';

const missing = 'Secret default/c-kubeconfig does not exist';

async function deleteNode(
  { leavesNodeWithoutAccess }: Pick<Dialect, 'leavesNodeWithoutAccess'>,
  error: Error,
) {
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(aCheckpoint({ seq: 1, phase: 'node' })) }));
  world.env.workloads = { of: () => Promise.reject(error) };
  Object.assign(world.env, { dialects: [{ ...clusterApi, leavesNodeWithoutAccess }] });
  const { next } = await reconcilePhase(world.env, node, aCommand({ phase: 'node' }));
  return { world, next };
}

describe('a Node in a cluster that nobody has the keys of', () => {
  test('is left behind where the Machine API wants it so, as the original one does', async () => {
    const { world, next } = await deleteNode(originalApi, new NoCredentials(missing));
    expect(next).toMatchObject({ phase: 'finalize' });
    expect(savedCheckpoint(world)).toMatchObject({ passed: { node: { as: 'not-applicable' } } });
  });

  test('is waited for where it does not, as Cluster API: the keys may be renewed', async () => {
    expect((await deleteNode(clusterApi, new NoCredentials(missing))).next).toBeUndefined();
  });

  test('is not left because the cluster does not answer', async () => {
    expect((await deleteNode(originalApi, new Unavailable('no answer'))).next).toBeUndefined();
  });
});
