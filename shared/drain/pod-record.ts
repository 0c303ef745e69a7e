import type { EvictionRecord, PodRecord } from '../store/port.ts';

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
