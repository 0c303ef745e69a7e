import type { Instant } from '../clock.ts';
import type { Pod } from '../kubernetes/objects.ts';
import type { DrainPlan } from './plan.ts';

/**
 * Pods on their way that still have more time than an eviction with this grace period would leave them: on a Node
 * nobody hears from there is nothing to use it for. A second of rounding is no more time. Those of a later order keep
 * theirs until it is their turn.
 */
export function podsToHurry(
  { terminating, batches: [batch] }: Pick<DrainPlan, 'terminating' | 'batches'>,
  graceSeconds: number,
  now: Instant,
): Pod[] {
  const latest = now + (graceSeconds + 1) * 1_000;
  return terminating.filter(
    (pod) => batch?.pods.includes(pod) === true && Date.parse(pod.metadata.deletionTimestamp ?? '') > latest,
  );
}
