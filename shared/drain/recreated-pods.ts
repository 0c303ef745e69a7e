import type { Pod } from '../kubernetes/objects.ts';
import { uidOf } from '../kubernetes/pod.ts';
import type { Instant } from '../time/clock.ts';
import type { PodRecord } from './pod-record.ts';

/**
 * A Pod that stands where one of its kind was evicted from before: it tolerates the cordon, and will come again.
 * Evicting such Pods as fast as they return would only load the API, so they are left to the unhurried look, as
 * often as the peer evicts them. Kind means the same name, or the same generated prefix.
 * @param cutMilliseconds how far the time that the API server says may lie before the one that it means
 */
export function hasReturned(pod: Pod, records: ReadonlyMap<string, PodRecord>, cutMilliseconds = 0): boolean {
  const createdAt = Date.parse(pod.metadata.creationTimestamp ?? '') + cutMilliseconds;
  return [...records.values()].some(
    (record) =>
      record.podUid !== uidOf(pod) &&
      record.outcome !== 'refused' &&
      isOfTheSameKind(pod, record) &&
      createdAt > record.lastAttempt,
  );
}

/** As long as a pass of the peer takes, which evicts whatever has come back at each. */
const restMilliseconds = 20_000;

export interface RestInputs {
  /** What is remembered of the drain's Pods, by UID. */
  records: ReadonlyMap<string, PodRecord>;
  /** When the deletion of the Machine began, by the clock of its API server. */
  deletedAt: Instant | undefined;
  now: Instant;
}

/**
 * Of these Pods those that have come back and are left alone for now, by UID, with the time when they may be evicted:
 * 20 s after the last eviction of their kind, by whichever instance. Only then does it make no difference how many
 * instances look at the Node, and how often. While the store is out of reach each instance knows of its own evictions
 * alone, and evicts at that pace by itself.
 */
export function restingPods(pods: readonly Pod[], inputs: RestInputs): Map<string, Instant> {
  const open = pods.filter((pod) => !inputs.records.has(uidOf(pod)) && isNew(pod, inputs.deletedAt));
  const ends = open.map((pod) => [uidOf(pod), restEnd(pod, inputs)] as const);
  return new Map(ends.filter(([, end]) => end > inputs.now));
}

/**
 * What was there before goes at once. Times of API servers are compared, in whole seconds both, so that no clock of ours
 * makes one that came back an old one.
 */
const isNew = ({ metadata }: Pod, deletedAt = Number.POSITIVE_INFINITY): boolean =>
  Date.parse(metadata.creationTimestamp ?? '') >= deletedAt;

/** Far from now is what a clock wrote that was wrong, or is: it must not hold a Pod. */
function restEnd(pod: Pod, { records, now }: RestInputs): Instant {
  const evictions = [...records.values()]
    .filter((record) => mayHaveLeft(record) && isOfTheSameKind(pod, record))
    .map(({ lastAttempt }) => lastAttempt)
    .filter((at) => Math.abs(now - at) < restMilliseconds);
  return Math.max(...evictions) + restMilliseconds;
}

/** A request that failed may have been obeyed: only its answer was lost, or says something else. */
const mayHaveLeft = ({ outcome, lastRefusal }: PodRecord): boolean =>
  outcome !== 'refused' || lastRefusal?.cause === 'Failed';

/** The same name, or the same generated prefix. */
function isOfTheSameKind({ metadata }: Pod, { namespace, name }: PodRecord): boolean {
  if (metadata.namespace !== namespace) return false;
  const prefix = metadata['generateName'];
  return name === metadata.name || (typeof prefix === 'string' && prefix !== '' && name.startsWith(prefix));
}
