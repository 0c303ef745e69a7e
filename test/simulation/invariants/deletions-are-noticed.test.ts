import { expect, test } from 'vitest';
import type { ProviderCall } from '../platform/provider.ts';
import { machines } from './built-stage.ts';
import { deletionsAreNoticed } from './deletions-are-noticed.ts';
import { openStage, type Stage } from './stage.ts';

const name = 'm2';
const config = { watchFilter: 'mine' };

function remove({ world: { management } }: Stage): void {
  const machine = management.get(machines, 'fleet', name);
  if (machine === undefined) throw new Error('there is no m2');
  management.remove(machines, machine);
}

interface Given {
  isWatched?: boolean;
  isTheirs?: boolean;
}

/** m2 is deleted now. */
async function deleted({ isWatched = true, isTheirs = false }: Given = {}): Promise<Stage> {
  const stage = await openStage(deletionsAreNoticed);
  const { world } = stage;
  if (isTheirs) world.config = { ...world.config, ...config };
  if (isWatched) stage.ask({ instance: 'source-1', verb: 'watch', resource: machines });
  remove(stage);
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

const call = (stage: Stage): ProviderCall => {
  const machine = stage.world.management.get(machines, 'fleet', name);
  if (machine === undefined) throw new Error('there is no m2');
  return { instance: 'instance-1', operation: 'exists', machine, cluster: undefined };
};

/** Up to 20 s each, and two of them. */
test.each([
  ['has time while its provider is asked', () => undefined, 48_000, []],
  [
    'is late where its provider takes longer than that',
    () => undefined,
    49_000,
    ['Machine fleet/m2 is looked at 49 s after it was deleted'],
  ],
  [
    'is late where its provider has answered before',
    (stage: Stage) => stage.observer.providerHeard?.(call(stage), { status: 200, headers: {}, body: '{}' }),
    9_000,
    ['Machine fleet/m2 is looked at 9 s after it was deleted'],
  ],
])('a Machine %s', async (_how, then, milliseconds, cries) => {
  const stage = await openStage(deletionsAreNoticed);
  stage.ask({ instance: 'source-1', verb: 'watch', resource: machines });
  stage.observer.asked?.(call(stage));
  then(stage);
  remove(stage);
  await stage.pass();
  await stage.pass(milliseconds);
  look(stage);
  expect(stage.cries).toEqual(cries);
});

test.each<[string, () => Promise<Stage>]>([
  ['was deleted when sources had not begun to watch', () => deleted({ isWatched: false })],
  ['is for somebody else', () => deleted({ isTheirs: true })],
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
