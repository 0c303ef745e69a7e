import { describe, expect, test } from 'vitest';
import { forEachLimited, forEachUntil, rotated } from '../../../shared/async/parallel.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Runs that end when they are told to. */
function heldRuns() {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const run = async (item: number): Promise<number> => {
    begun.push(item);
    await new Promise<void>((resolve) => void ends.push(resolve));
    return item;
  };
  return { begun, run, end: () => ends.splice(0).forEach((finish) => finish()) };
}

const within = () => {
  const clock = manualClock();
  return { clock, limit: { clock, milliseconds: 20_000 } };
};

test('sixteen run at once; the results are in the order of the items', async () => {
  const { begun, run, end } = heldRuns();
  const all = forEachLimited(numbers(20), run);
  expect(begun).toEqual(numbers(16));
  end();
  await manualClock().advance(0);
  expect(begun).toEqual(numbers(20));
  end();
  expect(await all).toEqual(numbers(20));
});

test('after a failure no further item is begun', async () => {
  const begun: number[] = [];
  const running = forEachLimited(
    numbers(6),
    async (item) => {
      begun.push(item);
      await manualClock().advance(0);
      if (item === 0) throw new Error('down');
    },
    2,
  );
  await expect(running).rejects.toThrow('down');
  await manualClock().advance(0);
  await manualClock().advance(0);
  expect(begun).toEqual([0, 1]);
});

test('nothing to do is done', async () => {
  expect(await forEachLimited([], () => Promise.reject(new Error('never')))).toEqual([]);
});

const mistake = () => Promise.reject(new TypeError('undefined is not a function'));

describe('within a time', () => {
  test('all run where there is time enough', async () => {
    const { limit } = within();
    expect(await forEachUntil(limit, numbers(4), async (item) => item)).toEqual([0, 1, 2, 3]);
  });

  test('no timer is left when all have run, and none is set for nothing', async () => {
    const { clock, limit } = within();
    await forEachUntil(limit, numbers(4), async (item) => item);
    expect(clock.timers()).toBe(0);
    const none = forEachUntil(limit, [], mistake);
    expect(clock.timers()).toBe(0);
    expect(await none).toEqual([]);
  });

  test('nothing is begun that comes later, and what was begun is not waited for', async () => {
    const { clock, limit } = within();
    const { begun, run, end } = heldRuns();
    const all = forEachUntil(limit, numbers(40), run);
    end();
    await clock.advance(20_000);
    expect(await all).toEqual(numbers(16));
    expect(begun).toEqual(numbers(32));
    end();
    await clock.advance(0);
    expect(begun).toEqual(numbers(32));
  });

  test('a mistake is thrown', async () => {
    const { limit } = within();
    await expect(forEachUntil(limit, [1], mistake)).rejects.toThrow(TypeError);
  });
});

test.each([
  [0, [0, 1, 2, 3]],
  [0.5, [2, 3, 0, 1]],
  [0.99, [3, 0, 1, 2]],
])('at random %d the items come in the order %j', (random, order) => {
  expect(rotated(numbers(4), () => random)).toEqual(order);
});

const noChance = (): never => {
  throw new Error('nobody needs to know');
};

test('none stays none, and is left to no chance', () => {
  expect(rotated([], noChance)).toEqual([]);
});
