import { expect, test } from 'vitest';
import { evict } from './asked.ts';
import { noEvictionStorms } from './no-eviction-storms.ts';
import { openStage, type Stage } from './stage.ts';

const bySet = {
  ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'web', controller: true }],
};

interface Storm {
  count: number;
  seconds: number;
  /** They take turns. */
  instances: readonly string[];
  metadata?: object;
}

/** Pods are evicted one after another, each right before the next one comes. */
async function storm(stage: Stage, { count, seconds, instances, metadata = bySet }: Storm): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const pod = stage.pod(`web-${index}`, { metadata });
    await stage.pass();
    stage.ask({ ...evict(pod), instance: instances[index % instances.length] ?? '' });
    await stage.pass(seconds * 1_000);
  }
}

const one = ['instance-1'];
const two = ['instance-1', 'instance-2'];
const three = [...two, 'instance-3'];

test.each<[about: string, storm: Storm, isTroubled: boolean, isCried: boolean]>([
  ['one Pod after another', { count: 6, seconds: 1, instances: one }, false, true],
  ['Pods in turn', { count: 6, seconds: 1, instances: two }, false, true],
  ['Pods in turn, whatever has gone wrong', { count: 12, seconds: 1, instances: two }, true, true],
  ['Pods at the pace of the peer', { count: 9, seconds: 20, instances: one }, false, false],
  [
    'Pods at that pace each, not knowing of one another',
    { count: 9, seconds: 7, instances: three },
    true,
    false,
  ],
  [
    'Pods at that pace each, though they know of one another',
    { count: 9, seconds: 7, instances: three },
    false,
    true,
  ],
  ['a few Pods too soon', { count: 5, seconds: 1, instances: one }, false, false],
  ['Pods that nobody makes again', { count: 9, seconds: 1, instances: one, metadata: {} }, false, false],
])('%s', async (_about, parts, isTroubled, isCried) => {
  const stage = await openStage(noEvictionStorms);
  if (isTroubled) stage.observer.hit?.('store-down', [], undefined);
  await storm(stage, parts);
  expect(stage.cries.length > 0).toBe(isCried);
});

test('it says which eviction is one too many', async () => {
  const stage = await openStage(noEvictionStorms);
  await storm(stage, { count: 6, seconds: 1, instances: one });
  expect(stage.cries).toEqual([
    'instance-1 evicts Pod shop/web-5 in blue: more than 4 of its kind were evicted in a minute as soon as they came',
  ]);
});

test('many Pods of one kind that are there together are evicted together', async () => {
  const stage = await openStage(noEvictionStorms);
  const pods = Array.from({ length: 9 }, (_, index) => stage.pod(`web-${index}`, { metadata: bySet }));
  await stage.pass(10);
  for (const pod of pods) stage.ask(evict(pod));
  for (const pod of pods) stage.ask(evict(pod));
  expect(stage.cries).toEqual([]);
});
