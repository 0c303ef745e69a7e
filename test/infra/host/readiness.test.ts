import { expect, test } from 'vitest';
import { awaitAnswers } from '../../../infra/host/readiness.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';
import { logLines } from '../../shared/http/log-lines.ts';

/** Something that fails as often as there are reasons, and then answers. */
function needed(name: string, failures: string[]) {
  const asked = { times: 0 };
  const ask = async (): Promise<void> => {
    asked.times += 1;
    const failure = failures.shift();
    if (failure !== undefined) throw new Error(failure);
  };
  return { asked, needed: { name, ask } };
}

test('each is asked, ever more rarely, until it has answered once', async () => {
  const clock = manualClock();
  const { lines, log } = logLines();
  const store = needed('the store', ['down', 'down', 'no table']);
  const api = needed('the API', []);
  const readiness = awaitAnswers([store.needed, api.needed], { clock, log });
  expect(readiness.waitsFor()).toEqual(['the store: no answer yet', 'the API: no answer yet']);
  await clock.advance(0);
  expect(readiness.waitsFor()).toEqual(['the store: down']);
  await clock.advance(249);
  expect(store.asked.times).toBe(1);
  await clock.advance(1);
  await clock.advance(500);
  expect(readiness.waitsFor()).toEqual(['the store: no table']);
  await clock.advance(999);
  expect(readiness.waitsFor()).toEqual(['the store: no table']);
  await clock.advance(1);
  expect(readiness.waitsFor()).toEqual([]);
  await clock.advance(60_000);
  expect([store.asked.times, api.asked.times]).toEqual([4, 1]);
  expect(lines.filter(({ level }) => level !== 'debug')).toMatchObject([
    { level: 'warn', msg: 'Not ready', what: 'the store', why: 'down' },
    { level: 'warn', msg: 'Not ready', what: 'the store', why: 'no table' },
    { level: 'info', msg: 'Ready' },
  ]);
});

test('never more rarely than every five seconds', async () => {
  const clock = manualClock();
  const down = needed(
    'the store',
    Array.from({ length: 100 }, () => 'down'),
  );
  awaitAnswers([down.needed], { clock, log: logLines().log }).waitsFor();
  await clock.advance(60_000);
  const before = down.asked.times;
  await clock.advance(60_000);
  expect(down.asked.times - before).toBe(12);
});

test('stopped, it asks no more and says nothing', async () => {
  const clock = manualClock();
  const { lines, log } = logLines();
  const down = needed('the store', ['down', 'down']);
  const readiness = awaitAnswers([down.needed], { clock, log });
  expect(readiness.waitsFor()).toHaveLength(1);
  await clock.advance(0);
  readiness.stop();
  await clock.advance(60_000);
  expect(down.asked.times).toBe(1);
  expect(lines).toHaveLength(1);
});

test.each([
  ['at the first probe', true, 0],
  ['a second after the start where nobody probes', false, 1_000],
])(
  'the first question is asked %s, so that an early event need not wait for it',
  async (_when, isProbed, at) => {
    const clock = manualClock();
    const store = needed('the store', []);
    const readiness = awaitAnswers([store.needed], { clock, log: logLines().log });
    if (isProbed) readiness.waitsFor();
    await clock.advance(at - 1);
    expect(store.asked.times).toBe(isProbed ? 1 : 0);
    await clock.advance(1);
    expect(store.asked.times).toBe(1);
    await clock.advance(60_000);
    readiness.waitsFor();
    expect(store.asked.times).toBe(1);
  },
);
