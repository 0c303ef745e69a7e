import { expect, test } from 'vitest';
import { machines } from './built-stage.ts';
import { deletionsAreNoticed } from './deletions-are-noticed.ts';
import { openStage, type Stage } from './stage.ts';

const name = 'm2';
const config = { watchFilter: 'mine' };

/** Phaseout has been there for so long, and m2 is deleted now. */
async function deleted(milliseconds = 20_000, theirs = false): Promise<Stage> {
  const stage = await openStage(deletionsAreNoticed);
  const { world } = stage;
  world.began = world.now();
  if (theirs) world.config = { ...world.config, ...config };
  await stage.pass(milliseconds);
  const machine = world.management.get(machines, 'fleet', name);
  if (machine === undefined) throw new Error('there is no m2');
  world.management.remove(machines, machine);
  await stage.pass();
  return stage;
}

const look = (stage: Stage): void => stage.ask({ verb: 'get', resource: machines, namespace: 'fleet', name });

test('whoever looks only when a sweep has found it is late', async () => {
  const stage = await deleted();
  await stage.pass(9_000);
  look(stage);
  expect(stage.cries).toEqual(['Machine fleet/m2 is looked at 9 s after it was deleted']);
});

test.each<[string, () => Promise<Stage>]>([
  ['was deleted when sources had not begun to watch', () => deleted(8_000)],
  ['is for somebody else', () => deleted(20_000, true)],
  [
    'is looked at in time',
    async () => {
      const stage = await deleted();
      await stage.pass(8_000);
      look(stage);
      return stage;
    },
  ],
  [
    'was deleted when something went wrong',
    async () => {
      const stage = await deleted();
      stage.observer.hit?.('events-lost', [], undefined);
      return stage;
    },
  ],
])('a Machine that %s may be looked at again later', async (_what, given) => {
  const stage = await given();
  await stage.pass(9_000);
  look(stage);
  expect(stage.cries).toEqual([]);
});
