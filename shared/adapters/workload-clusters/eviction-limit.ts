import type { Eviction, EvictionAnswer, Kubernetes } from '../../kubernetes/client.ts';
import type { Clock } from '../../time/clock.ts';
import { EvictionQueue, type EvictionRate, evictionTime } from './eviction-queue.ts';

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

/** An eviction rests on a look at the Pods, which must be less than half a minute old. */
const defaultBudgetMs = 25_000;

/** 100 evictions a second, 200 at once after a pause, 50 under way, unless configured otherwise. */
export function createEvictionLimit(options: EvictionLimitOptions): EvictionLimit {
  const { clock, perSecond = 100, burst = 200, inFlight = 50 } = options;
  const turns = new EvictionQueue(clock, { perSecond, burst }, inFlight);

  const evictOne = async (
    kubernetes: Pick<Kubernetes, 'evict'>,
    eviction: Eviction,
  ): Promise<EvictionAnswer> => {
    const age = clock.stopwatch();
    let as: Parameters<EvictionQueue['release']>[1] = 'failed';
    try {
      const answer = await kubernetes.evict(eviction);
      as = outcomeOf(answer);
      return answer;
    } finally {
      turns.release(age(), as);
    }
  };

  return {
    async evictAll(kubernetes, evictions, budgetMs = defaultBudgetMs) {
      const box = evictionTime(clock, budgetMs);
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

/** A budget's refusal shows nothing about the server. */
function outcomeOf(answer: EvictionAnswer): 'answered' | 'throttled' | 'failed' {
  if (answer.kind !== 'refused') return 'answered';
  if (answer.cause === 'Throttled') return 'throttled';
  return answer.cause === 'Failed' ? 'failed' : 'answered';
}

function notAttempted(budgetMs: number): EvictionAnswer {
  const text = `its turn to be evicted did not come within ${budgetMs / 1_000} s`;
  return { kind: 'refused', cause: 'NotAttempted', text };
}
