import { expect, test } from 'vitest';
import { evict } from './asked.ts';
import { exchangeOf, openStage, type Stage } from './stage.ts';
import { throttledStayAway } from './throttled-stay-away.ts';

/** The API asks it to come again in so many seconds. */
async function throttled(retryAfter: string | undefined, code = 429) {
  const stage = await openStage(throttledStayAway);
  const pod = stage.pod('a');
  const answer = { code, message: '', ...(retryAfter !== undefined && { retryAfter }) };
  stage.observer.invented?.(exchangeOf(evict(pod)), answer);
  return { stage, pod };
}

test.each<[string, string | undefined, number, string[]]>([
  ['sooner', '30', 29_999, ['instance-1 asks for the Pod shop/a 1 ms sooner than it was told']],
  ['then', '30', 30_000, []],
  ['at any time where none is named', undefined, 1, []],
])('a Pod is asked for %s', async (_when, retryAfter, milliseconds, cries) => {
  const { stage, pod } = await throttled(retryAfter);
  await stage.pass(milliseconds);
  stage.ask(evict(pod));
  expect(stage.cries).toEqual(cries);
});

test.each<[string, (stage: Stage) => void]>([
  ['it may have been forgotten', (stage) => stage.observer.hit?.('store-down', [], undefined)],
  [
    'there are several instances',
    ({ world }) => {
      world.startInstance();
      world.startInstance();
    },
  ],
])('a Pod may be asked for sooner where %s', async (_why, happens) => {
  const { stage, pod } = await throttled('30');
  happens(stage);
  stage.ask(evict(pod));
  expect(stage.cries).toEqual([]);
});

test('other Pods, and those that are hurried, may be asked for', async () => {
  const { stage, pod } = await throttled('30');
  stage.ask(evict(pod, pod.metadata.uid, 1));
  stage.ask(evict(stage.pod('b')));
  stage.ask({ ...evict(pod), instance: 'instance-2' });
  expect(stage.cries).toEqual([]);
});

test('another answer names no time', async () => {
  const { stage, pod } = await throttled('30', 503);
  stage.ask(evict(pod));
  expect(stage.cries).toEqual([]);
});

const skew =
  (milliseconds: number) =>
  ({ world }: Stage): void => {
    for (const { strand } of world.instances()) strand.skew(milliseconds);
  };

/** It has written the time of its answer by a clock that was ahead, and looks again soon. */
async function criesWhereSkewed(later: number): Promise<string[]> {
  const stage = await openStage(throttledStayAway);
  const { name: instance } = stage.world.startInstance();
  const asked = { ...evict(stage.pod('a')), instance };
  skew(600_000)(stage);
  stage.observer.invented?.(exchangeOf(asked), { code: 429, message: '', retryAfter: '30' });
  await stage.pass(2_000);
  skew(later)(stage);
  stage.ask(asked);
  return stage.cries;
}

test('a clock that is right again does not know until when a Pod is to be left alone', async () => {
  expect(await criesWhereSkewed(0)).toEqual([]);
});

test('a clock that is wrong all the time knows it', async () => {
  expect(await criesWhereSkewed(600_000)).toHaveLength(1);
});
