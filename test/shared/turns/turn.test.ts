import { expect, test } from 'vitest';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { whenThereIsRoom } from '../../../shared/turns/turn.ts';
import { aCheckpoint, aRawMachine } from '../../builders/cluster-api.ts';
import { aCommand, atCheckpoint, aWorld, type World } from '../../builders/world.ts';

const result = { facts: [] };
const run = async (): Promise<typeof result> => result;

/** An instance with room for so many more; what runs is noted with its rank. */
function withRoom(room: number): World & { ranks: number[] } {
  const world = aWorld();
  const ranks: number[] = [];
  world.env.loadLimit = {
    run({ rank }, work) {
      ranks.push(rank);
      return work();
    },
    later: () => undefined,
    room: () => room,
    arrive: (work) => work(),
  };
  return { ...world, ranks };
}

const due = ({ env }: World) => env.store.due(env.clock.now(), 10);

test('a step runs at once where nothing limits them', async () => {
  expect(await whenThereIsRoom(aWorld().env, aCommand(), undefined, run)).toBe(result);
});

test('a deletion that has not begun comes after one that has', async () => {
  const world = withRoom(1);
  await whenThereIsRoom(world.env, aCommand({ seq: 0 }), undefined, run);
  await whenThereIsRoom(world.env, aCommand({ seq: 1 }), undefined, run);
  world.env.cache.rememberMachine(aRawMachine({ annotations: atCheckpoint(aCheckpoint({ seq: 0 })) }));
  await whenThereIsRoom(world.env, aCommand({ seq: 0 }), undefined, run);
  expect(world.ranks).toEqual([1, 0, 0]);
});

test('where too many wait a deletion that has not begun waits in the store, and that is said once', async () => {
  const world = withRoom(0);
  expect(await whenThereIsRoom(world.env, aCommand({ seq: 0 }), undefined, run)).toBeUndefined();
  await whenThereIsRoom(world.env, aCommand({ seq: 0 }), undefined, run);
  expect(await due(world)).toMatchObject([
    { machine: { name: 'm-1' }, at: world.env.clock.now(), isProvisional: true, isOfDeletion: true },
  ]);
  expect(world.said).toEqual(['Deletion waits for its turn: others are under way']);
});

test('one that has begun waits here, however many do', async () => {
  const world = withRoom(0);
  expect(await whenThereIsRoom(world.env, aCommand({ seq: 1 }), undefined, run)).toBe(result);
  expect(await due(world)).toEqual([]);
});

test('where the store is away as well it is refused, for its event to come again', async () => {
  const world = withRoom(0);
  world.env.store.isAvailable = () => false;
  await expect(whenThereIsRoom(world.env, aCommand({ seq: 0 }), undefined, run)).rejects.toThrow(Unavailable);
  expect(world.ranks).toEqual([]);
});
