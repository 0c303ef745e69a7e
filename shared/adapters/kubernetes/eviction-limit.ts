import type { Clock, Instant } from '../../clock.ts';
import type { Eviction, EvictionAnswer, Kubernetes } from '../../kubernetes/port.ts';
import {
  type EvictionRate,
  fullBucket,
  millisecondsToNextToken,
  refilled,
  slowedDown,
  withoutOneToken,
} from './token-bucket.ts';

export interface EvictionLimitOptions extends Partial<EvictionRate> {
  clock: Clock;
  inFlight?: number;
}

/** One for each workload cluster, shared by all Machines whose Nodes are drained there. */
export interface EvictionLimit {
  /**
   * Evicts first come, first served, as fast as the limit allows. Those whose turn has not come after `budgetMs`
   * are answered NotAttempted. By Pod UID.
   */
  evictAll(
    kubernetes: Pick<Kubernetes, 'evict'>,
    evictions: Eviction[],
    budgetMs?: number,
  ): Promise<Map<string, EvictionAnswer>>;
}

interface Turn {
  take(): void;
}

export const defaultBudgetMs = 10_000;

/** 100 evictions a second, 200 at once after a pause, 50 under way, unless configured otherwise. */
export function createEvictionLimit(options: EvictionLimitOptions): EvictionLimit {
  const turns = createTurns(options);

  const evictOne = async (
    kubernetes: Pick<Kubernetes, 'evict'>,
    eviction: Eviction,
  ): Promise<EvictionAnswer> => {
    const startedAt = options.clock.now();
    let throttled = false;
    try {
      const answer = await kubernetes.evict(eviction);
      throttled = answer.kind === 'refused' && answer.cause === 'Throttled';
      return answer;
    } finally {
      turns.release(throttled ? startedAt : undefined);
    }
  };

  return {
    async evictAll(kubernetes, evictions, budgetMs = defaultBudgetMs) {
      const box = timeBox(options.clock, budgetMs);
      const answers = evictions.map(async (eviction): Promise<[string, EvictionAnswer]> => {
        const { uid = '' } = eviction.pod.metadata;
        if (!(await turns.next(box))) return [uid, notAttempted(budgetMs)];
        return [uid, await evictOne(kubernetes, eviction)];
      });
      try {
        return new Map(await Promise.all(answers));
      } finally {
        box.cancel();
      }
    },
  };
}

/** The peer's words, which users' tools read. */
function notAttempted(budgetMs: number): EvictionAnswer {
  const text = `eviction timeout of ${budgetMs / 1000}s reached, eviction will be retried`;
  return { kind: 'refused', cause: 'NotAttempted', text };
}

interface TimeBox {
  isOver(): boolean;
  /** Calls `run` when the time is used up, at once if it already is. */
  onceOver(run: () => void): void;
  cancel(): void;
}

function timeBox(clock: Clock, milliseconds: number): TimeBox {
  const waiting: (() => void)[] = [];
  let over = milliseconds <= 0;
  const cancel = clock.after(milliseconds, () => {
    over = true;
    for (const run of waiting) run();
  });
  return { isOver: () => over, onceOver: (run) => void waiting.push(run), cancel };
}

/** Who may send next: a queue in front of a token bucket and a number of places. */
function createTurns({ clock, perSecond = 100, burst = 200, inFlight = 50 }: EvictionLimitOptions) {
  const rate: EvictionRate = { perSecond, burst };
  const queue = new Set<Turn>();
  let bucket = fullBucket(rate, clock.now());
  let underWay = 0;
  let cancelTimer: (() => void) | undefined;

  function admit(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    bucket = refilled(bucket, rate, clock.now());
    for (const turn of queue) {
      if (underWay >= inFlight) return;
      if (bucket.tokens < 1) {
        cancelTimer = clock.after(millisecondsToNextToken(bucket), admit);
        return;
      }
      queue.delete(turn);
      bucket = withoutOneToken(bucket);
      underWay += 1;
      turn.take();
    }
  }

  return {
    /** Whether the turn came before the time box was used up. */
    next(box: TimeBox): Promise<boolean> {
      if (box.isOver()) return Promise.resolve(false);
      return new Promise((resolve) => {
        const turn: Turn = { take: () => resolve(true) };
        queue.add(turn);
        box.onceOver(() => {
          queue.delete(turn);
          resolve(false);
        });
        admit();
      });
    },
    /** `throttledSince`: the request was throttled, and this is when it was sent. */
    release(throttledSince: Instant | undefined): void {
      underWay -= 1;
      const now = clock.now();
      if (throttledSince !== undefined) {
        bucket = slowedDown(refilled(bucket, rate, now), throttledSince, now);
      }
      admit();
    },
  };
}
