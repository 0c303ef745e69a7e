import type { Pod } from '../kubernetes/objects.ts';
import { isTerminating, uidOf } from '../kubernetes/pod.ts';
import type { Instant } from '../time/clock.ts';
import type { PodRecord } from './pod-record.ts';

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
