/** Runs `run` on each item, at most `limit` at a time. After the first failure no further one is begun. */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  let hasFailed = false;
  const work = async (): Promise<void> => {
    for (const item of waiting) {
      if (hasFailed) return;
      await run(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
}
