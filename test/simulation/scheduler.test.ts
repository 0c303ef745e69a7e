import { describe, expect, it } from 'vitest';
import { pause } from '../../shared/time/clock.ts';
import { createRandom } from './random.ts';
import { Scheduler, Strand } from './scheduler.ts';

interface Setting {
  scheduler: Scheduler;
  strand: Strand;
  /** What came, with its time. */
  came: string[];
  come: (what: string) => () => void;
}

function setting(seed = 1): Setting {
  const scheduler = new Scheduler(1_000, createRandom(seed));
  const came: string[] = [];
  const strand = new Strand('instance-1', scheduler, () => 5);
  return { scheduler, strand, came, come: (what) => () => void came.push(`${what} at ${scheduler.now()}`) };
}

/** The letters in the order in which they come, all being due at once. */
async function orderOf(seed: number): Promise<string> {
  const { scheduler, came, come } = setting(seed);
  for (const letter of 'abcdef') scheduler.after(10, come(letter));
  await scheduler.run(2_000);
  return came.map((line) => line[0]).join('');
}

describe('the scheduler', () => {
  it('lets things come at their times, and stands still then', async () => {
    const { scheduler, came, come } = setting();
    scheduler.after(30, come('c'));
    scheduler.after(10, come('a'));
    scheduler.after(20.2, come('b'));
    await scheduler.run(1_025);
    expect({ came, now: scheduler.now() }).toStrictEqual({ came: ['a at 1010', 'b at 1021'], now: 1_025 });
  });

  it('does not let come what was taken back', async () => {
    const { scheduler, came, come } = setting();
    scheduler.after(10, come('a'))();
    await scheduler.run(2_000);
    expect(came).toStrictEqual([]);
  });

  it('lets everything go on that can before the next thing comes', async () => {
    const { scheduler, came, come } = setting();
    scheduler.after(10, () => void Promise.resolve().then(() => Promise.resolve().then(come('a went on'))));
    scheduler.after(11, come('b'));
    await scheduler.run(2_000);
    expect(came).toStrictEqual(['a went on at 1010', 'b at 1011']);
  });

  it('ends as soon as it is over, at that time', async () => {
    const { scheduler, came, come } = setting();
    for (const milliseconds of [10, 20, 30]) scheduler.after(milliseconds, come('one'));
    await scheduler.run(2_000, () => came.length === 2);
    expect({ came, now: scheduler.now() }).toStrictEqual({
      came: ['one at 1010', 'one at 1020'],
      now: 1_020,
    });
  });

  it('puts what is due at the same time in an order of chance, which the seed decides', async () => {
    const orders = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(orderOf));
    expect(new Set(orders).size).toBeGreaterThan(4);
    expect(await orderOf(3)).toBe(orders[2]);
  });

  it('keeps thousands of things in order', async () => {
    const { scheduler } = setting();
    const random = createRandom(3);
    const times: number[] = [];
    for (let count = 0; count < 3_000; count += 1)
      scheduler.after(random.between(0, 500), () => times.push(scheduler.now()));
    await scheduler.run(2_000);
    expect(times).toHaveLength(3_000);
    expect(times).toStrictEqual(times.toSorted((one, other) => one - other));
  });
});

describe('a strand', () => {
  it('takes its steps when their time has come', async () => {
    const { scheduler, strand, came, come } = setting();
    void strand.step('a request leaves').then(come('a'));
    await scheduler.run(2_000);
    expect(came).toStrictEqual(['a at 1005']);
  });

  it('does nothing while it is paused, and all of it when it wakes', async () => {
    const { scheduler, strand, came, come } = setting();
    strand.after(10, come('timer'));
    void strand.step('a request leaves').then(come('step'));
    scheduler.after(10, come('somebody else'));
    strand.pause(500);
    await scheduler.run(2_000);
    expect(came.toSorted()).toStrictEqual(['somebody else at 1010', 'step at 1500', 'timer at 1500']);
  });

  it('stands still until the later one of two pauses is over, and for no longer than that', async () => {
    const { scheduler, strand, came, come } = setting();
    strand.after(10, come('timer'));
    strand.pause(500);
    await scheduler.run(1_200);
    strand.pause(100);
    expect(strand.stoodStill).toBe(500);
    strand.pause(400);
    await scheduler.run(2_000);
    strand.pause(50);
    expect({ came, stoodStill: strand.stoodStill }).toStrictEqual({
      came: ['timer at 1600'],
      stoodStill: 650,
    });
  });

  it('is awake for all the time in which it did not stand still so far', async () => {
    const { scheduler, strand } = setting();
    strand.pause(500);
    await scheduler.run(1_200);
    const inThePause = strand.awake();
    await scheduler.run(2_000);
    expect([inThePause, strand.awake()]).toStrictEqual([1_000, 1_500]);
  });

  it('does nothing once it is dead', async () => {
    const { scheduler, strand, came, come } = setting();
    strand.after(10, come('timer'));
    void strand.step('a request leaves').then(come('step'));
    strand.die();
    await scheduler.run(2_000);
    expect(came).toStrictEqual([]);
  });

  it('may have a wrong clock, and its timers are right all the same', async () => {
    const { scheduler, strand, came, come } = setting();
    strand.skew(-600);
    expect(strand.now()).toBe(400);
    void pause(strand, 10).then(come('timer'));
    await scheduler.run(2_000);
    expect(came).toStrictEqual(['timer at 1010']);
  });
});
