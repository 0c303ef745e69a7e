import { expect, test } from 'vitest';

import { createEvictionLimit } from '../../../../shared/adapters/workload-clusters/eviction-limit.ts';
import { classifyRefusal } from '../../../../shared/drain/eviction-answer.ts';
import type { Eviction, EvictionAnswer } from '../../../../shared/kubernetes/client.ts';
import { type ManualClock, manualClock } from '../kubernetes/manual-clock.ts';

const accepted: EvictionAnswer = { kind: 'accepted' };
const throttled: EvictionAnswer = { kind: 'refused', cause: 'Throttled', text: 'slow down' };
const notAttempted: EvictionAnswer = {
  kind: 'refused',
  cause: 'NotAttempted',
  text: 'its turn to be evicted did not come within 25 s',
};
const evacuation =
  'admission webhook "evictions.vms.example" denied the request: Eviction triggered evacuation of VMI "shop/vm-1"';

function evictions(prefix: string, count: number): Eviction[] {
  return Array.from({ length: count }, (_, n) => {
    const uid = `${prefix}${n}`;
    return { pod: { metadata: { name: uid, namespace: 'default', uid } } };
  });
}

interface Api {
  evict(eviction: Eviction): Promise<EvictionAnswer>;
  asked: string[];
  underWay: number;
  most: number;
}

/** Takes `milliseconds` for each eviction. */
function slowApi(
  clock: ManualClock,
  milliseconds: number,
  answer: () => EvictionAnswer = () => accepted,
): Api {
  const api: Api = {
    asked: [],
    underWay: 0,
    most: 0,
    async evict({ pod }) {
      api.asked.push(pod.metadata.uid ?? '');
      api.underWay += 1;
      api.most = Math.max(api.most, api.underWay);
      await new Promise<void>((resolve) => clock.after(milliseconds, resolve));
      api.underWay -= 1;
      return answer();
    },
  };
  return api;
}

async function defective(): Promise<EvictionAnswer> {
  throw new Error('a defect');
}

const count = (answers: Map<string, EvictionAnswer>, wanted: EvictionAnswer): number =>
  [...answers.values()].filter((answer) => JSON.stringify(answer) === JSON.stringify(wanted)).length;

test('every Pod gets its own answer', async () => {
  const limit = createEvictionLimit({ clock: manualClock() });
  const evict = async ({ pod }: Eviction): Promise<EvictionAnswer> =>
    pod.metadata.uid === 'a1' ? { kind: 'gone' } : accepted;
  expect(await limit.evictAll({ evict }, evictions('a', 3))).toEqual(
    new Map<string, EvictionAnswer>([
      ['a0', accepted],
      ['a1', { kind: 'gone' }],
      ['a2', accepted],
    ]),
  );
});

test('one that gets no answer for 10 s keeps no other of its batch from going out', async () => {
  const clock = manualClock();
  const [quick, hanging] = [slowApi(clock, 5), slowApi(clock, 10_000)];
  const evict = (eviction: Eviction) =>
    (eviction.pod.metadata.uid === 'a0' ? hanging : quick).evict(eviction);
  let isOver = false;
  const answers = createEvictionLimit({ clock, inFlight: 2 }).evictAll({ evict }, evictions('a', 20));
  void answers.then(() => (isOver = true));
  await clock.advance(1_000);
  expect([hanging.asked, quick.asked.length, isOver]).toEqual([['a0'], 19, false]);
  await clock.advance(9_000);
  expect(count(await answers, accepted)).toBe(20);
});

test('nothing to evict is answered at once', async () => {
  const limit = createEvictionLimit({ clock: manualClock() });
  expect(await limit.evictAll({ evict: async () => accepted }, [])).toEqual(new Map());
});

test('the burst goes at once, the rest at the rate', async () => {
  const clock = manualClock();
  const api = slowApi(clock, 1);
  const limit = createEvictionLimit({ clock, perSecond: 10, burst: 5 });
  const answers = limit.evictAll(api, evictions('a', 12));
  await clock.advance(50);
  expect(api.asked).toHaveLength(5);
  await clock.advance(100);
  expect(api.asked).toHaveLength(6);
  await clock.advance(600);
  expect(api.asked).toHaveLength(12);
  await clock.advance(1);
  expect(count(await answers, accepted)).toBe(12);
});

test('never more are under way than allowed', async () => {
  const clock = manualClock();
  const api = slowApi(clock, 100);
  const limit = createEvictionLimit({ clock, inFlight: 7 });
  const answers = limit.evictAll(api, evictions('a', 30));
  await clock.advance(1_000);
  expect(count(await answers, accepted)).toBe(30);
  expect(api.most).toBe(7);
});

test('without other configuration 200 go at once, 50 of them at a time', async () => {
  const clock = manualClock();
  const api = slowApi(clock, 1);
  const answers = createEvictionLimit({ clock }).evictAll(api, evictions('a', 300));
  await clock.advance(10);
  expect(api.asked.length).toBeGreaterThanOrEqual(200);
  expect(api.asked.length).toBeLessThanOrEqual(202);
  expect(api.most).toBe(50);
  await clock.advance(1_000);
  expect(count(await answers, accepted)).toBe(300);
});

test('those whose turn has not come in time are answered so and never asked', async () => {
  const clock = manualClock();
  const api = slowApi(clock, 1);
  const limit = createEvictionLimit({ clock, perSecond: 1, burst: 1 });
  const answers = limit.evictAll(api, evictions('a', 40));
  await clock.advance(24_999);
  const asked = api.asked.length;
  expect(asked).toBe(25);
  await clock.advance(60_000);
  const result = await answers;
  expect([count(result, accepted), count(result, notAttempted)]).toEqual([asked, 40 - asked]);
  expect(api.asked).toHaveLength(asked);
});

test('they are answered as soon as their time is over, whoever has the place that they wait for', async () => {
  const clock = manualClock();
  const limit = createEvictionLimit({ clock, inFlight: 1 });
  const first = limit.evictAll(slowApi(clock, 60_000), evictions('a', 1));
  const told: EvictionAnswer[] = [];
  const second = limit.evictAll(slowApi(clock, 1), evictions('b', 1));
  void second.then((answers) => told.push(...answers.values()));
  await clock.advance(24_999);
  expect(told).toEqual([]);
  await clock.advance(1);
  expect(told).toEqual([notAttempted]);
  await clock.advance(50_000);
  expect(count(await first, accepted)).toBe(1);
});

test.each([
  ['a token', { perSecond: 1, burst: 1 }],
  ['a place', { inFlight: 1 }],
])('those who wait for %s while their process stands still are never asked', async (_what, limits) => {
  const clock = manualClock();
  const api = slowApi(clock, 100);
  const answers = createEvictionLimit({ clock, ...limits }).evictAll(api, evictions('a', 3));
  await clock.advance(0);
  await clock.standStill(25_000);
  expect(api.asked).toEqual(['a0']);
  await clock.advance(1);
  expect(count(await answers, notAttempted)).toBe(2);
});

test('an eviction under way when the time is used up still gets its answer', async () => {
  const clock = manualClock();
  const api = slowApi(clock, 27_000);
  const answers = createEvictionLimit({ clock, inFlight: 1 }).evictAll(api, evictions('a', 2));
  await clock.advance(27_000);
  expect(await answers).toEqual(
    new Map<string, EvictionAnswer>([
      ['a0', accepted],
      ['a1', notAttempted],
    ]),
  );
});

test('those whose turn has not come in time take no place from those who come later', async () => {
  const clock = manualClock();
  const limit = createEvictionLimit({ clock, inFlight: 1 });
  const late = limit.evictAll(slowApi(clock, 27_000), evictions('a', 3));
  await clock.advance(27_000);
  await late;
  const next = limit.evictAll(slowApi(clock, 1), evictions('b', 1));
  await clock.advance(10_000);
  expect(await next).toEqual(new Map([['b0', accepted]]));
});

test("the time box is the caller's", async () => {
  const clock = manualClock();
  const limit = createEvictionLimit({ clock, inFlight: 1 });
  const answers = limit.evictAll(slowApi(clock, 5_000), evictions('a', 2), 2_500);
  await clock.advance(5_000);
  expect((await answers).get('a1')).toMatchObject({
    cause: 'NotAttempted',
    text: 'its turn to be evicted did not come within 2.5 s',
  });
});

test('a used up time box asks nothing', async () => {
  const clock = manualClock();
  const api = slowApi(clock, 1);
  expect(
    count(await createEvictionLimit({ clock }).evictAll(api, evictions('a', 2), 0), {
      ...notAttempted,
      text: 'its turn to be evicted did not come within 0 s',
    }),
  ).toBe(2);
  expect(api.asked).toEqual([]);
});

test('Machines of a cluster share the limit, first come, first served', async () => {
  const clock = manualClock();
  const api = slowApi(clock, 10);
  const limit = createEvictionLimit({ clock, inFlight: 1, perSecond: 1_000, burst: 1_000 });
  const both = [limit.evictAll(api, evictions('a', 3)), limit.evictAll(api, evictions('b', 3))];
  await clock.advance(100);
  await Promise.all(both);
  expect(api.asked).toEqual(['a0', 'a1', 'a2', 'b0', 'b1', 'b2']);
});

test('an API server that throttles is asked more slowly, and faster again later', async () => {
  const clock = manualClock();
  let answer: EvictionAnswer = throttled;
  const api = slowApi(clock, 1, () => answer);
  const limit = createEvictionLimit({ clock, perSecond: 100, burst: 10, inFlight: 10 });
  const first = limit.evictAll(api, evictions('a', 10));
  await clock.advance(1);
  expect(count(await first, throttled)).toBe(10);

  answer = accepted;
  const second = limit.evictAll(api, evictions('b', 1_000), 8_000);
  await clock.advance(1_000);
  // From 50 to 60 per second, instead of 100.
  expect(api.asked.length - 10).toBeGreaterThanOrEqual(54);
  expect(api.asked.length - 10).toBeLessThanOrEqual(56);
  await clock.advance(5_000);
  const before = api.asked.length;
  await clock.advance(1_000);
  expect(api.asked.length - before).toBeGreaterThanOrEqual(99);
  expect(api.asked.length - before).toBeLessThanOrEqual(101);
  await clock.advance(2_000);
  await second;
});

test('an API server that asks to slow down is obeyed, and evictions go on, after the clock was set back', async () => {
  const clock = manualClock();
  const limit = createEvictionLimit({ clock, perSecond: 100, burst: 1 });
  const throttling = { evict: async () => throttled };
  await limit.evictAll(throttling, evictions('a', 1));
  clock.setBack(3_600_000);
  await clock.advance(1);
  const second = limit.evictAll(throttling, evictions('b', 1));
  await clock.advance(1_000);
  await second;
  const api = slowApi(clock, 0);
  const third = limit.evictAll(api, evictions('c', 200), 3_600_000);
  await clock.advance(1_000);
  // 100 halved twice is 25 in a second, and the rate comes back by 10 in each.
  expect(api.asked.length).toBeGreaterThan(20);
  expect(api.asked.length).toBeLessThan(45);
  await clock.advance(60_000);
  expect(count(await third, accepted)).toBe(200);
});

test.each<[string, EvictionAnswer]>([
  ['a budget', { kind: 'refused', cause: 'BudgetExhausted', text: 'no' }],
  ['anything but its own load', { kind: 'refused', cause: 'Failed', text: 'no' }],
  ['a webhook that moves a virtual machine', classifyRefusal(429, { message: evacuation })],
])('an API server that refuses because of %s is asked as fast as before', async (_what, refusal) => {
  const clock = manualClock();
  const limit = createEvictionLimit({ clock, perSecond: 10, burst: 1 });
  const api = slowApi(clock, 0, () => refusal);
  void limit.evictAll(api, evictions('a', 11), 10_000);
  await clock.advance(1_000);
  expect(api.asked).toHaveLength(11);
});

test('an eviction that throws gives its place back', async () => {
  const clock = manualClock();
  const limit = createEvictionLimit({ clock, inFlight: 1 });
  await expect(limit.evictAll({ evict: defective }, evictions('a', 1))).rejects.toThrow('a defect');
  expect(count(await limit.evictAll({ evict: async () => accepted }, evictions('b', 1)), accepted)).toBe(1);
});

test.each<[string, () => Promise<EvictionAnswer>]>([
  ['were answered', async () => accepted],
  ['failed', defective],
])('evictions that %s leave no timer behind', async (_what, evict) => {
  const clock = manualClock();
  const limit = createEvictionLimit({ clock });
  await limit.evictAll({ evict }, evictions('a', 3)).catch(() => undefined);
  expect(clock.timers()).toBe(0);
});

test('what was asked before an API server was obeyed says nothing new, whenever its answers come', async () => {
  const clock = manualClock();
  const limit = createEvictionLimit({ clock, perSecond: 100, burst: 10, inFlight: 10 });
  let milliseconds = 0;
  const throttling = {
    async evict(): Promise<EvictionAnswer> {
      milliseconds += 1;
      await new Promise<void>((resolve) => clock.after(milliseconds, resolve));
      return throttled;
    },
  };
  const first = limit.evictAll(throttling, evictions('a', 10));
  await clock.advance(10);
  expect(count(await first, throttled)).toBe(10);
  const api = slowApi(clock, 1);
  void limit.evictAll(api, evictions('b', 1_000), 8_000);
  await clock.advance(1_000);
  expect(api.asked.length).toBeGreaterThanOrEqual(54);
});

test('evictions from Nodes that nobody hears from have no way around it', async () => {
  const clock = manualClock();
  const limit = createEvictionLimit({ clock, perSecond: 1_000, burst: 1_000, inFlight: 10 });
  const api = slowApi(clock, 100);
  const done = limit.evictAll(
    api,
    evictions('a', 50).map((eviction) => ({ ...eviction, gracePeriodSeconds: 1 })),
  );
  await clock.advance(1_000);
  expect(count(await done, accepted)).toBe(50);
  expect(api.most).toBe(10);
});

test('an API server that gets slow has fewer under way, and more again once it is quick', async () => {
  const clock = manualClock();
  let milliseconds = 100;
  const limit = createEvictionLimit({ clock, perSecond: 10_000, burst: 10_000, inFlight: 20 });
  /** How many are under way at most in so many seconds of many evictions. */
  async function most(seconds: number): Promise<number> {
    const api = slowApi(clock, milliseconds);
    const answers = limit.evictAll(api, evictions('a', 5_000), seconds * 1_000);
    await clock.advance(seconds * 1_000 - 1);
    const { underWay } = api;
    await clock.advance(10_000);
    await answers;
    return underWay;
  }
  expect(await most(10)).toBe(20);
  milliseconds = 2_000;
  expect(await most(20)).toBeLessThan(8);
  milliseconds = 100;
  expect(await most(30)).toBe(20);
});

test.each(['BudgetExhausted', 'BudgetNeverAllows', 'MultipleBudgets'] as const)(
  'an API server that refuses quickly (%s) has as many under way as before',
  async (cause) => {
    const clock = manualClock();
    const api = slowApi(clock, 100, () => ({ kind: 'refused', cause, text: 'no' }));
    const limit = createEvictionLimit({ clock, perSecond: 10_000, burst: 10_000, inFlight: 20 });
    const answers = limit.evictAll(api, evictions('a', 200));
    await clock.advance(2_000);
    expect(count(await answers, { kind: 'refused', cause, text: 'no' })).toBe(200);
    expect(api.most).toBe(20);
  },
);
