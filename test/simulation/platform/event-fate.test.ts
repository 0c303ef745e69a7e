import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { Scheduler, Strand } from '../scheduler.ts';
import { answerOf, type EventFate, fated } from './event-fate.ts';

interface Seen {
  /** When it came, in milliseconds. */
  came: number[];
  /** What its sender learns. */
  told: string;
}

/** An event on its way to somebody who answers 200, past a Broker of whom each step takes 5 ms. */
async function seen(fate: EventFate, broker: 'is there' | 'is gone' | 'dies' = 'is there'): Promise<Seen> {
  const scheduler = new Scheduler(0, createRandom(1));
  const strand = new Strand('broker-1', scheduler, () => 5);
  const came: number[] = [];
  const pass = () => {
    came.push(scheduler.now());
    return Promise.resolve(answerOf(200));
  };
  const told = fated(fate, pass, broker === 'is gone' ? undefined : strand).then(
    ({ status }) => String(status),
    (error: unknown) => String(error),
  );
  if (broker === 'dies') strand.die();
  await scheduler.run(100_000);
  return { came, told: await told };
}

const nobodyThere = 'Error: connect ECONNREFUSED';

test.each<[string, EventFate, Seen]>([
  ['arrives', 'arrives', { came: [0], told: '200' }],
  ['is taken in and never delivered', 'is lost', { came: [], told: '202' }],
  ['is not taken in', 'is refused', { came: [], told: '503' }],
  ['finds nobody', 'finds nobody', { came: [], told: nobodyThere }],
  ['comes three times', { times: 3 }, { came: [0, 5, 5], told: '200' }],
  ['comes late', { delayMilliseconds: 60_000 }, { came: [60_000], told: '202' }],
  ['is done without an answer', 'is not answered', { came: [0], told: 'Error: read ECONNRESET' }],
])('an event %s', async (_what, fate, expected) => {
  expect(await seen(fate)).toEqual(expected);
});

test.each<[string, EventFate, Seen]>([
  ['what is late', { delayMilliseconds: 60_000 }, { came: [], told: '202' }],
  ['what is to come again', { times: 3 }, { came: [0], told: '200' }],
])('a Broker that dies loses %s', async (_what, fate, expected) => {
  expect(await seen(fate, 'dies')).toEqual(expected);
});

test('an event may be kept waiting for ever', async () => {
  const scheduler = new Scheduler(0, createRandom(1));
  const strand = new Strand('broker-1', scheduler, () => 5);
  let isTold = false;
  const told = fated('is kept waiting', () => Promise.resolve(answerOf(200)), strand);
  void told.finally(() => (isTold = true));
  await scheduler.run(3_600_000);
  expect(isTold).toBe(false);
});

test('nothing is kept back where no Broker is', async () => {
  expect(await seen({ delayMilliseconds: 60_000 }, 'is gone')).toEqual({ came: [], told: nobodyThere });
});
