import { expect, test } from 'vitest';
import { inParallel } from '../../../../shared/adapters/dynamodb/parallel.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('every item is run once, at most as many at a time as allowed', async () => {
  const run: number[] = [];
  let running = 0;
  let most = 0;
  await inParallel([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await turn();
    running -= 1;
    run.push(item);
  });
  expect(new Set(run)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7]));
  expect(run).toHaveLength(7);
  expect(most).toBe(3);
});

test('after a failure no further item is begun', async () => {
  const begun: number[] = [];
  const running = inParallel([1, 2, 3, 4, 5, 6], 2, async (item) => {
    begun.push(item);
    await turn();
    if (item === 1) throw new Error('down');
  });
  await expect(running).rejects.toThrow('down');
  await turn();
  await turn();
  expect(begun).toEqual([1, 2]);
});

test('nothing to do is done', async () => {
  await expect(inParallel([], 16, () => Promise.reject(new Error('never')))).resolves.toBeUndefined();
});
