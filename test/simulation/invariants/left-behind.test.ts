import { expect, test } from 'vitest';
import { createDynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import { createSimulatedStoreClient } from '../store/client.ts';
import { aLook } from '../store/open-store.ts';
import { nothingLeftBehind } from './nothing-left-behind.ts';
import { openStage, type Stage } from './stage.ts';

/** In twenty seconds, at a Machine that is not there any more. */
async function lookThatIsLeft({ world }: Stage): Promise<void> {
  const { scheduler: clock, table } = world;
  const client = createSimulatedStoreClient(table, {
    clock,
    step: () => Promise.resolve(),
    faults: () => 'none',
  });
  const store = createDynamoStore({ client, table: 'phaseout', clock });
  await store.schedule(aLook({ at: world.now() + 20_000 }));
}

const left = 'a look at Machine uid-1, which is gone, is still due';

test('where nothing went wrong no look at a Machine that is gone is left, be it due or not', async () => {
  const stage = await openStage(nothingLeftBehind);
  await lookThatIsLeft(stage);
  stage.observer.quiet?.();
  stage.observer.ended?.();
  expect(stage.cries).toEqual([left]);
});

test('where something went wrong it is left to the sweep, for as long as that takes', async () => {
  const stage = await openStage(nothingLeftBehind);
  await lookThatIsLeft(stage);
  stage.observer.hit?.('store-down', [], undefined);
  stage.observer.quiet?.();
  stage.observer.ended?.();
  expect(stage.cries).toEqual([]);
  await stage.pass(60_000);
  stage.observer.ended?.();
  expect(stage.cries).toEqual([left]);
});
