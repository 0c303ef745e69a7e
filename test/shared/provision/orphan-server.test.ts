import { beforeEach, describe, expect, test } from 'vitest';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { deleteOrphan } from '../../../shared/provision/server.ts';
import { aLivingOriginal } from '../../builders/v1alpha1.ts';
import { anOriginalWorld, type OriginalWorld, withoutPauses } from '../../builders/v1alpha1-world.ts';

const retry = () => ({ kind: 'retry', afterSeconds: 30, message: 'still starting' }) as const;
const failed = () => ({ kind: 'failed', reason: undefined, message: 'locked' }) as const;
const silence = () => Promise.reject(new Unavailable('no answer'));

let world: OriginalWorld;
let pauses: number[];

beforeEach(() => {
  world = anOriginalWorld(aLivingOriginal());
  pauses = withoutPauses(world);
});

const leave = () => deleteOrphan(world.env, { machine: aLivingOriginal(), cluster: undefined });

describe('a server that was made for a Machine which is gone', () => {
  test('is removed', async () => {
    await leave();
    expect(world.cloud.asked).toEqual(['delete m-1']);
    expect(pauses).toEqual([]);
  });

  test('is asked for again, whatever the provider says, until that is accepted', async () => {
    world.cloud.next('delete', retry, failed, silence);
    await leave();
    expect(world.cloud.asked).toHaveLength(4);
    expect(pauses).toEqual([5_000, 5_000, 5_000]);
    expect(world.said).toEqual(['Machine was deleted while its instance was created']);
  });

  test('is not asked for again because of a mistake of ours: that is thrown', async () => {
    world.cloud.next('delete', () => Promise.reject(new TypeError('undefined is not a function')));
    await expect(leave()).rejects.toThrow(TypeError);
    expect(world.cloud.asked).toHaveLength(1);
  });

  test('is asked for five times, and then it is in the log', async () => {
    world.cloud.next('delete', retry, retry, retry, retry, retry);
    await leave();
    expect(world.cloud.asked).toHaveLength(5);
    expect(world.said).toEqual(['An instance may be left of a Machine that is gone']);
  });
});
