import type { Instant } from '../clock.ts';
import type { Pod } from '../kubernetes/objects.ts';

/**
 * Pods on their way that still have more time than an eviction with this grace period would leave them: on a Node
 * nobody hears from there is nothing to use it for. A second of rounding is no more time.
 */
export const podsToHurry = (terminating: readonly Pod[], graceSeconds: number, now: Instant): Pod[] =>
  terminating.filter(
    ({ metadata }) => Date.parse(metadata.deletionTimestamp ?? '') > now + (graceSeconds + 1) * 1_000,
  );
