import { expect, test } from 'vitest';
import { infrastructure } from '../../../functions/infrastructure.ts';
import { sweep } from '../../../functions/sweep.ts';
import type { DeleteAnswer } from '../../../shared/actuator/port.ts';
import { originalApi } from '../../../shared/dialects/v1alpha1/index.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after } from '../../builders/cluster-api.ts';
import { aLivingOriginal, aRawOriginal } from '../../builders/v1alpha1.ts';
import { anOriginalWorld, eventsIn } from '../../builders/v1alpha1-world.ts';
import { aCommand, atCheckpoint, type World } from '../../builders/world.ts';

const failed: DeleteAnswer & { kind: 'failed' } = {
  kind: 'failed',
  reason: 'DeleteError',
  message: 'no permission',
};

/** An API server keeps Events for an hour. */
async function forget({ management }: World): Promise<void> {
  const { items } = await management.list({ group: '', version: 'v1', plural: 'events' });
  for (const { metadata } of items) management.drop(`events/${metadata.namespace}/${metadata.name}`);
}

const minutes = (number: number): number => after(10 + number * 60);

test('what holds a deletion up that no status tells of is told again once its Event was forgotten', async () => {
  const begun = aCheckpoint({ seq: 1, phase: 'infrastructure' });
  const world = anOriginalWorld(aRawOriginal({ metadata: { annotations: atCheckpoint(begun) } }));
  const look = async (at: number) => {
    world.time.now = at;
    world.cloud.next('delete', () => failed);
    const { ref: machine } = originalApi.read(aRawOriginal());
    const { facts } = await reconcilePhase(world.env, infrastructure, aCommand({ seq: 1, machine }));
    return facts.map(({ kind }) => kind);
  };
  const why = "Warning FailedDelete: error deleting Machine's instance: DeleteError: no permission";
  expect(await look(minutes(0))).toEqual(['failed']);
  expect(await eventsIn(world)).toEqual([why]);
  await forget(world);
  expect(await look(minutes(9))).toEqual([]);
  expect(await eventsIn(world)).toEqual([]);
  expect(await look(minutes(10))).toEqual([]);
  expect(await eventsIn(world)).toEqual([why]);
  const events = () => world.log.filter((line) => line.startsWith('create events')).length;
  const before = events();
  expect(await look(minutes(19))).toEqual([]);
  expect(events()).toBe(before);
  expect(await look(minutes(20))).toEqual([]);
  expect(events()).toBe(before + 1);
});

test('so is what keeps a living Machine from its server', async () => {
  const world = anOriginalWorld(aLivingOriginal());
  const look = async (at: number) => {
    world.time.now = at;
    world.cloud.next('update', () => failed);
    await sweep(world.env, 'all');
    return eventsIn(world);
  };
  const why = "Warning FailedUpdate: error updating Machine's instance: DeleteError: no permission";
  expect(await look(minutes(0))).toEqual([why]);
  await forget(world);
  expect(await look(minutes(9))).toEqual([]);
  expect(await look(minutes(10))).toEqual([why]);
});
