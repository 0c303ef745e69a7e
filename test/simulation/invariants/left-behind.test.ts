import { expect, test } from 'vitest';
import { anew } from '../scenario/deeds/deed.ts';
import { aLook } from '../store/open-store.ts';
import { cordon, nodeOf } from './asked.ts';
import { machines } from './built-stage.ts';
import { nothingLeftBehind } from './nothing-left-behind.ts';
import { openStage, type Stage, storeOf } from './stage.ts';

/** In twenty seconds, at a Machine that is not there any more. */
const lookThatIsLeft = (stage: Stage): Promise<boolean> =>
  storeOf(stage).schedule(aLook({ at: stage.world.now() + 20_000 }));

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

/** Its Machine lives, and the cordon of its Node is left. */
async function criesOfCordon(isLate: boolean): Promise<string[]> {
  const stage = await openStage(nothingLeftBehind);
  const { world } = stage;
  const node = nodeOf(stage, 'node-2');
  const arrives = stage.send(cordon(node));
  if (isLate) {
    await stage.pass(5_000);
    const made = anew(stage.machine());
    const m2 = { ...made, metadata: { ...made.metadata, name: 'm2' } };
    world.management.patch(machines, m2, { metadata: { finalizers: null } });
    world.management.remove(machines, m2);
    world.management.create(machines, m2);
  }
  arrives(() => void world.cluster('blue').patch('nodes', node, { spec: { unschedulable: true } }));
  stage.observer.quiet?.();
  stage.observer.ended?.();
  return stage.cries;
}

test('a Node is not left cordoned where its Machine lives', async () => {
  expect(await criesOfCordon(false)).toEqual([
    'Node node-2 is still cordoned, and its Machine fleet/m2 lives',
  ]);
});

test('unless that Machine was made after the cordon was sent, for one of the same name', async () => {
  expect(await criesOfCordon(true)).toEqual([]);
});
