import { expect, test } from 'vitest';
import { evict } from './asked.ts';
import { comesAgainInTime } from './comes-again-in-time.ts';
import { exchangeOf, openStage, type Stage } from './stage.ts';

interface Manner {
  isHeard?: boolean;
  /** All of them before the first one is answered. */
  areSentFirst?: boolean;
  before?: (stage: Stage) => void;
}

/** Refused so many times, with so many seconds from each to the next. */
async function refused(
  times: number,
  seconds: number,
  { isHeard = true, areSentFirst = false, before }: Manner = {},
): Promise<Stage> {
  const stage = await openStage(comesAgainInTime);
  before?.(stage);
  const pod = stage.pod('a');
  const body = { details: { retryAfterSeconds: 10 } };
  const exchanges = Array.from({ length: times }, () => exchangeOf(evict(pod)));
  for (const exchange of areSentFirst ? exchanges : [])
    for (const observer of stage.world.observers) observer.leaves?.(exchange);
  for (const exchange of exchanges) {
    stage.observer.before?.(exchange);
    stage.observer.after?.(exchange, { code: 429, body });
    if (isHeard) stage.observer.heard?.(exchange);
    await stage.pass(seconds * 1_000);
  }
  return stage;
}

test('whoever comes again too soon, and again, is told of', async () => {
  const { cries } = await refused(4, 5);
  expect(cries).toEqual(['instance-1 asks again for the Pod shop/a: 3 times sooner than it was told']);
});

/** An instance has a wrong clock for a moment in which it asks for nothing. */
function jump({ world }: Stage): void {
  world.begin();
  const [instance] = world.instances();
  instance?.strand.skew(5_000);
  world.say('an instance', 'its clock is 5 s ahead');
  instance?.strand.skew(0);
}

test.each([
  ['comes again in time', () => refused(6, 10)],
  ['comes too soon twice, because the budget was seen to allow one', () => refused(3, 1)],
  ['had sent them all before it heard of the first', () => refused(6, 1, { areSentFirst: true })],
  ['has not heard of the answer', () => refused(6, 1, { isHeard: false })],
  ['may have had a wrong clock, which came and went unseen', () => refused(6, 1, { before: jump })],
])('nothing is told of who %s', async (_who, run) => {
  const { cries } = await run();
  expect(cries).toEqual([]);
});
