import { expect, test } from 'vitest';
import { finalize } from '../../../functions/finalize.ts';
import { originalApi } from '../../../shared/dialects/v1alpha1/index.ts';
import { runPhase } from '../../../shared/runtime/run-phase.ts';
import { surroundingsOf } from '../../../shared/runtime/surroundings.ts';
import { aCommand, atCheckpoint, machinePath } from '../../builders/world.ts';
import { aCheckpoint } from '../dialects/capi/machines.ts';
import { aControlPlaneOriginal, aRawOriginal, finalizer } from '../dialects/v1alpha1/machines.ts';
import { anOriginalWorld } from '../dialects/v1alpha1/world.ts';

const versions = { kubelet: '1.13.6', controlPlane: '1.13.6' };

const { apiVersion } = originalApi.read(aRawOriginal()).ref;
const command = aCommand({
  phase: 'finalize',
  seq: 2,
  machine: { apiVersion, namespace: 'default', name: 'm-1', uid: 'uid-1' },
});

/** m-1, which is about to be let go, among the members of the control plane that its cluster has. */
function aWorldOf(spec: Record<string, unknown>, finalizers = [finalizer]) {
  const annotations = atCheckpoint(aCheckpoint({ phase: 'finalize', seq: 2 }));
  const world = anOriginalWorld(aRawOriginal({ metadata: { annotations, finalizers }, spec }));
  const counts = async (machine = aControlPlaneOriginal('cp-1')) => {
    const surroundings = await surroundingsOf(world.env, originalApi.read(machine), originalApi, {
      nodeDeletion: true,
    });
    return surroundings.controlPlaneMembers;
  };
  const letGo = async () => {
    await runPhase(world.env, finalize, command);
    world.management.drop(machinePath);
  };
  return { world, counts, letGo };
}

test('a member that was let go is not counted at the same moment any more', async () => {
  const { counts, letGo } = aWorldOf({ versions });
  expect(await counts()).toBe(4);
  await letGo();
  expect(await counts()).toBe(3);
  expect(await counts(aRawOriginal({ metadata: { name: 'm-2', uid: 'uid-2' } }))).toBe(3);
});

test('one that somebody else still holds is counted', async () => {
  const { world, counts } = aWorldOf({ versions }, [finalizer, 'example.com/x']);
  await counts();
  await runPhase(world.env, finalize, command);
  expect(await counts()).toBe(4);
});

test('they are not counted again because a worker went', async () => {
  const { world, counts, letGo } = aWorldOf({});
  await counts();
  await letGo();
  await counts();
  expect(world.management.reads.filter((read) => read === 'list machines')).toHaveLength(1);
});
