import { beforeEach, describe, expect, test } from 'vitest';
import { intakeEvent } from '../../../shared/intake/intake.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { aLivingOriginal } from '../../builders/v1alpha1.ts';
import {
  anOriginalWorld,
  eventsIn,
  type OriginalWorld,
  withoutPauses,
} from '../../builders/v1alpha1-world.ts';
import { machinePath } from '../../builders/world.ts';

const noAnswer = (): never => {
  throw new Unavailable('no answer');
};

let world: OriginalWorld;
let pauses: number[];

beforeEach(() => {
  world = anOriginalWorld(aLivingOriginal());
  world.cloud.servers.clear();
  pauses = withoutPauses(world);
});

/** From the moment at which the server is made, this read fails so many times. */
const failing = (read: string, times: number, isGone: boolean): void =>
  world.cloud.next('create', () => {
    if (isGone) world.management.drop(machinePath);
    world.management.on(read, noAnswer, times);
  });

const heard = () => intakeEvent(world.env, world.management.at(machinePath)!);

describe('a Machine that cannot be read after its server was made', () => {
  test.each([`get ${machinePath}`, 'list machines'])(
    'is read again, and was it gone by then, so is its server: %s',
    async (read) => {
      failing(read, 4, true);
      await heard();
      expect(world.cloud.asked).toEqual(['exists m-1', 'create m-1', 'delete m-1']);
      expect(world.cloud.servers).toEqual(new Set());
      expect(pauses).toEqual([5_000, 5_000, 5_000, 5_000]);
    },
  );

  test('is read again, and lives with its server', async () => {
    failing(`get ${machinePath}`, 1, false);
    await heard();
    expect(world.cloud.asked).toEqual(['exists m-1', 'create m-1']);
    expect(world.cloud.servers).toEqual(new Set(['uid-1']));
    expect(await eventsIn(world)).toEqual([]);
  });

  test('is read five times, and then it is in the log that nobody knows, and its server stays', async () => {
    failing(`get ${machinePath}`, 5, true);
    await heard();
    expect(world.cloud.asked).toEqual(['exists m-1', 'create m-1']);
    expect(pauses).toHaveLength(4);
    expect(world.said).toEqual([
      'Creating instance',
      'It is not known whether a Machine is gone whose instance was created',
      'Machine could not be kept in step',
    ]);
  });

  test('because of a mistake of ours is not read again: it is thrown', async () => {
    world.cloud.next('create', () =>
      world.management.on(`get ${machinePath}`, () => {
        throw new TypeError('undefined is not a function');
      }),
    );
    await expect(heard()).rejects.toThrow(TypeError);
    expect(pauses).toEqual([]);
  });
});
