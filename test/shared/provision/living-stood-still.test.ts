import { expect, test } from 'vitest';
import { intakeEvent } from '../../../shared/intake/intake.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { after } from '../../builders/cluster-api.ts';
import { aLivingOriginal } from '../../builders/v1alpha1.ts';
import { anOriginalWorld, eventsIn, type OriginalWorld } from '../../builders/v1alpha1-world.ts';
import { machinePath } from '../../builders/world.ts';

const deleted = { metadata: { deletionTimestamp: '2026-01-01T12:00:05Z' } };
const heard = (world: OriginalWorld) => intakeEvent(world.env, world.management.at(machinePath)!);

/**
 * The first reads of the Machine take so many milliseconds to arrive. After each of them it changes to `seen`: somebody
 * deletes it.
 */
function slowToLearn(world: OriginalWorld, milliseconds: number, times: number, seen: object): void {
  const get = world.management.get.bind(world.management);
  let reads = 0;
  world.management.get = async (resource, key) => {
    const answer = await get(resource, key);
    if (resource.plural !== 'machines') return answer;
    reads += 1;
    if (reads > times) return answer;
    world.time.now += milliseconds;
    world.management.change(machinePath, seen);
    return answer;
  };
}

test.each([
  ['is read again', 25_001, []],
  ['was read in time', 25_000, ['update m-1']],
])(
  'before its server is changed a living Machine %s where it was learnt of after %i ms',
  async (_what, milliseconds, updates) => {
    const world = anOriginalWorld(aLivingOriginal({ metadata: {} }));
    slowToLearn(world, milliseconds, 1, deleted);
    await heard(world);
    expect(world.log.filter((line) => line === 'update m-1')).toEqual(updates);
  },
);

test('of a Machine that nobody can learn of in time nothing is asked, and it is due again', async () => {
  const world = anOriginalWorld(aLivingOriginal({ metadata: {} }));
  slowToLearn(world, 25_001, 3, {});
  await heard(world);
  expect(world.log).not.toContain('update m-1');
  expect(await eventsIn(world)).toEqual([
    "Warning FailedUpdate: error updating Machine's instance: the Machine could not be read in time",
  ]);
  expect(await world.env.store.due(after(100), 10)).toMatchObject([{ failures: 1 }]);
});

test('a deletion that begins as a living Machine is put off for its provider is looked at', async () => {
  const world = anOriginalWorld(aLivingOriginal({ metadata: {} }));
  const { store } = world.env;
  const unschedule = store.unschedule.bind(store);
  world.cloud.next(
    'exists',
    () => {
      throw new Unavailable('no answer');
    },
    () => ({ kind: 'retry', afterSeconds: 3_600, message: 'busy' }),
  );
  await heard(world);
  store.unschedule = async (uid, look) => {
    world.management.change(machinePath, deleted);
    return unschedule(uid, look);
  };
  expect(await heard(world)).toMatchObject({ machine: { uid: 'uid-1' }, phase: 'infrastructure' });
});
