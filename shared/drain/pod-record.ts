import type { RefusalCause } from '../kubernetes/refusal.ts';
import type { Instant } from '../time/clock.ts';

/** The Pod's record after one more attempt. */
export function withEviction(record: PodRecord | undefined, eviction: EvictionRecord): PodRecord {
  const { podUid, namespace, name, at, refusal, notBefore } = eviction;
  const refusals = { ...record?.refusals };
  if (refusal !== undefined) refusals[refusal.cause] = (refusals[refusal.cause] ?? 0) + 1;
  const lastRefusal = refusal ?? record?.lastRefusal;
  return {
    podUid,
    namespace,
    name,
    attempts: (record?.attempts ?? 0) + 1,
    refusals,
    firstAttempt: record?.firstAttempt ?? at,
    lastAttempt: at,
    outcome: outcomeAfter(record?.outcome, eviction.outcome),
    ...(lastRefusal === undefined ? {} : { lastRefusal }),
    ...(notBefore === undefined ? {} : { notBefore }),
  };
}

type Outcome = PodRecord['outcome'];

/** A refusal that arrives late must not make a Pod that is leaving one that stays. */
const outcomeAfter = (known: Outcome | undefined, outcome: Outcome): Outcome =>
  outcome === 'refused' ? (known ?? outcome) : outcome;
/** What is remembered of one Pod of one Machine's drain. Keyed by the Pod's UID: names are taken again. */
export interface PodRecord {
  podUid: string;
  namespace: string;
  name: string;
  attempts: number;
  refusals: Partial<Record<RefusalCause, number>>;
  firstAttempt: Instant;
  lastAttempt: Instant;
  outcome: 'accepted' | 'gone' | 'refused';
  /** The last refusal's text, as an unfinished drain's message shows it. */
  lastRefusal?: { cause: RefusalCause; text: string; budget?: string };
  /** Not to be tried again before this time, unless its budget frees. */
  notBefore?: Instant;
}

/** One attempt to evict a Pod, as the store takes it. Times in milliseconds. */
export interface EvictionRecord {
  podUid: string;
  namespace: string;
  name: string;
  at: Instant;
  outcome: 'accepted' | 'gone' | 'refused';
  refusal?: { cause: RefusalCause; text: string; budget?: string };
  notBefore?: Instant;
}
