import type { Clock } from '../time/clock.ts';

const maxAtOnce = 16;

/**
 * Runs for every item, at most `limit` at once; the results are in the order of the items. After the first failure, which
 * it throws, it begins no more.
 */
export async function forEachLimited<T, R>(
  items: readonly T[],
  run: (item: T) => Promise<R>,
  limit = maxAtOnce,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (hasFailed) return;
      results[index] = await run(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}

interface Limit {
  clock: Clock;
  milliseconds: number;
}

/**
 * The same within a time: then no more is begun, and what has begun comes to its end by itself. The results are those
 * until then, as they came.
 */
export async function forEachUntil<T, R>(
  { clock, milliseconds }: Limit,
  items: readonly T[],
  run: (item: T) => Promise<R>,
): Promise<R[]> {
  if (items.length === 0) return [];
  const results: R[] = [];
  const age = clock.stopwatch();
  const all = forEachLimited(items, async (item) => {
    if (age() < milliseconds) results.push(await run(item));
  });
  const over = Promise.withResolvers<void>();
  const stop = clock.after(milliseconds, over.resolve);
  await Promise.race([all, over.promise]);
  stop();
  return [...results];
}

/** The same items from anywhere on, so that it is not always the same whose turn does not come. */
export function rotated<T>(items: readonly T[], random: () => number): T[] {
  if (items.length === 0) return [];
  const first = Math.floor(random() * items.length);
  return [...items.slice(first), ...items.slice(0, first)];
}
