import type { WorkQueue } from './work-queue.ts';
import type { World } from './world.ts';

const firstRetryMilliseconds = 500;
const lastRetryMilliseconds = 30_000;

/**
 * A queue for controllers that ask a server outside the cluster. A key that is added while it is being looked at is
 * looked at again afterwards. A failed look is repeated later and later; the first failure in a row is reported.
 */
export function askingQueue(
  world: World,
  name: string,
  reconcile: (key: string) => Promise<void>,
): WorkQueue {
  const asking = new Set<string>();
  const missed = new Set<string>();
  const failures = new Map<string, number>();
  const unreported = new Map<string, unknown>();

  const queue = world.queue(name, (key) => {
    complain(key);
    if (asking.has(key)) missed.add(key);
    else void look(key);
  });

  function complain(key: string): void {
    if (!unreported.has(key)) return;
    const error = unreported.get(key);
    unreported.delete(key);
    throw error;
  }

  async function look(key: string): Promise<void> {
    asking.add(key);
    try {
      await reconcile(key);
      failures.delete(key);
    } catch (error) {
      retry(key, error);
    }
    asking.delete(key);
    if (missed.delete(key)) queue.add(key);
  }

  function retry(key: string, error: unknown): void {
    const count = failures.get(key) ?? 0;
    failures.set(key, count + 1);
    // The queue reports the error and tries again.
    if (count === 0) {
      unreported.set(key, error);
      return queue.add(key);
    }
    const delay = Math.min(lastRetryMilliseconds, firstRetryMilliseconds * 2 ** Math.min(count, 20));
    queue.addAt(key, world.clock.now() + delay);
  }
  return queue;
}
