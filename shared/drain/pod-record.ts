import type { RefusalCause } from '../kubernetes/client.ts';
import { isTerminating, type Pod, uidOf } from '../kubernetes/objects.ts';
import type { LastingCause } from '../machine/lasting-cause.ts';
import type { Instant } from '../time/clock.ts';

/** The Pod's record after one more attempt. */
export function withEviction(record: PodRecord | undefined, eviction: EvictionRecord): PodRecord {
  const { podUid, namespace, name, at, refusal, notBefore } = eviction;
  const refusals = { ...record?.refusals };
  if (refusal !== undefined) refusals[refusal.cause] = (refusals[refusal.cause] ?? 0) + 1;
  return {
    podUid,
    namespace,
    name,
    attempts: (record?.attempts ?? 0) + 1,
    refusals,
    firstAttempt: record?.firstAttempt ?? at,
    lastAttempt: at,
    outcome: outcomeAfter(record?.outcome, eviction.outcome),
    ...keptOf(record, eviction),
    ...(notBefore === undefined ? {} : { notBefore }),
  };
}

/** What an attempt that says nothing of it leaves as it was. */
function keptOf(
  record: PodRecord | undefined,
  { refusal, lasting: now }: EvictionRecord,
): Pick<PodRecord, 'lastRefusal' | 'lasting'> {
  const lastRefusal = refusal ?? record?.lastRefusal;
  const lasting = now ?? record?.lasting;
  return { ...(lastRefusal !== undefined && { lastRefusal }), ...(lasting !== undefined && { lasting }) };
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
  /** The cause that keeps it, and since when. */
  lasting?: LastingCause;
  /** Not to be tried again before this time, unless its budget frees. */
  notBefore?: Instant;
}

/** One attempt to evict a Pod, as the store takes it. Times in milliseconds. */
export interface EvictionRecord
  extends Pick<PodRecord, 'podUid' | 'namespace' | 'name' | 'outcome' | 'notBefore' | 'lasting'> {
  at: Instant;
  refusal?: NonNullable<PodRecord['lastRefusal']>;
}

/** The peer evicts a Pod that shows no deletionTimestamp at every pass, and a pass takes it this long. */
const believedMilliseconds = 20_000;

/**
 * The records as far as they still say something. An accepted eviction shows in the Pod at once. Where it does not show long
 * after, a restored API server has taken the past back. The Pod would be waited for until the record expires.
 */
export function believedRecords(
  records: ReadonlyMap<string, PodRecord>,
  now: Instant,
): ReadonlyMap<string, PodRecord> {
  const isBelieved = ({ outcome, lastAttempt }: PodRecord): boolean =>
    // Another instance's clock may be ahead of ours.
    outcome === 'refused' || Math.abs(now - lastAttempt) <= believedMilliseconds;
  return new Map([...records].filter(([, record]) => isBelieved(record)));
}

/** An eviction that the API server has accepted and no record knows of. */
export interface UnrecordedEviction {
  pod: Pod;
  /** When the API server did. */
  at: Instant;
}

interface EvictionsToCheck {
  /** What is remembered of the Pods, by UID. */
  records: ReadonlyMap<string, PodRecord>;
  /** When the drain began. */
  since: Instant;
}

/**
 * Evictions of this drain whose instance was killed before it could record them. The API server itself marks each Pod
 * that it evicts.
 */
export function unrecordedEvictions(
  pods: readonly Pod[],
  { records, since }: EvictionsToCheck,
): UnrecordedEviction[] {
  // The mark has whole seconds.
  const earliest = Math.floor(since / 1_000) * 1_000;
  return pods.flatMap((pod) => {
    const record = records.get(uidOf(pod));
    const at = markedAt(pod);
    const isTold = record !== undefined && record.outcome !== 'refused';
    if (isTold || !isTerminating(pod) || at === undefined || at < earliest) return [];
    return [{ pod, at: Math.max(at, record?.lastAttempt ?? at) }];
  });
}

function markedAt({ status }: Pod): Instant | undefined {
  const mark = status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  if (mark?.status !== 'True' || mark.reason !== 'EvictionByEvictionAPI') return undefined;
  const at = Date.parse(mark.lastTransitionTime ?? '');
  return Number.isNaN(at) ? undefined : at;
}
