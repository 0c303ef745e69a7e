import { expect, test } from 'vitest';
import { doneWhenAnswered } from './done-when-answered.ts';
import { openStage, type Stage } from './stage.ts';

const patch = 'PATCH /apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/machines/m1';
const record = 'store PutItem machine#uid-1 history#1';
const answer = ({ observer }: Stage, ...left: string[]): void =>
  observer.answered?.('instance-1', 9_999, left);

test.each([patch, record])('an instance that has not heard of %s has answered too early', async (left) => {
  const stage = await openStage(doneWhenAnswered);
  answer(stage, left);
  expect(stage.cries).toEqual([`instance-1 has answered, and has not heard yet of ${left}`]);
});

test('one that is done has not', async () => {
  const stage = await openStage(doneWhenAnswered);
  answer(stage);
  expect(stage.cries).toEqual([]);
});

test('a sweep that has taken long does not wait for all', async () => {
  const stage = await openStage(doneWhenAnswered);
  stage.observer.answered?.('instance-1', 10_000, [patch]);
  expect(stage.cries).toEqual([]);
});

test('what a table that is down was asked for is given up', async () => {
  const stage = await openStage(doneWhenAnswered);
  stage.observer.hit?.('store-down', [], 'instance-1');
  answer(stage, record);
  expect(stage.cries).toEqual([]);
  answer(stage, record, patch);
  expect(stage.cries).toHaveLength(1);
});
