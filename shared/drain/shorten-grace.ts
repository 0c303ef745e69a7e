import type { ObjectMeta, Pod } from '../kubernetes/objects.ts';
import type { Instant } from '../time/clock.ts';
import type { DrainPlan } from './plan.ts';

/**
 * Terminating Pods that have more time left than an eviction with this grace period would give: on an unreachable Node they
 * have no use for it. A second of rounding is no more time, nor is that of a clock behind the API server: a Pod whose grace
 * was shortened says so. Pods of a later order keep theirs until it is their turn.
 */
export function podsToHurry(
  { terminating, batches: [batch] }: Pick<DrainPlan, 'terminating' | 'batches'>,
  graceSeconds: number,
  now: Instant,
): Pod[] {
  const latest = now + (graceSeconds + 1) * 1_000;
  return terminating.filter(
    (pod) =>
      batch?.pods.includes(pod) === true &&
      !isHurried(pod.metadata, graceSeconds) &&
      Date.parse(pod.metadata.deletionTimestamp ?? '') > latest,
  );
}

const isHurried = (
  { deletionGracePeriodSeconds: given = Infinity }: ObjectMeta,
  graceSeconds: number,
): boolean => given <= graceSeconds;
