import type { EvictionAnswer } from '../kubernetes/client.ts';
import { type Pod, type PodDisruptionBudget, uidOf } from '../kubernetes/objects.ts';
import type { Instant } from '../time/clock.ts';
import { budgetKey, disruptionsAllowed, isBeyondBudgets, isObserved, isUnguarded } from './budget-cause.ts';
import type { PodRecord } from './pod-record.ts';

export interface AttemptInputs {
  /** What is remembered of each Pod, by UID. */
  records: ReadonlyMap<string, PodRecord>;
  /** Budgets that refused before and were read in this look, by `namespace/name`; undefined where one is gone. */
  budgets: ReadonlyMap<string, PodDisruptionBudget | undefined>;
  now: Instant;
  /** Pods that this look has asked about already, by UID: they are not asked again. */
  answers?: ReadonlyMap<string, EvictionAnswer>;
}

/** The Pods of `evictNow` (sorted) whose eviction is worth a request in this look. */
export function podsToAttempt(evictNow: readonly Pod[], inputs: AttemptInputs): Pod[] {
  const spent = new Map<string, number>();
  return evictNow.filter((pod) => {
    const uid = uidOf(pod);
    if (inputs.answers?.has(uid)) return false;
    const record = inputs.records.get(uid);
    if (record === undefined) return true;
    // The API has said yes, or that the Pod is gone. Only the end of its object is left to wait for.
    if (record.outcome !== 'refused') return false;
    // Our own lack of time is no reason for a pause.
    if (record.lastRefusal?.cause === 'NotAttempted') return true;
    return mayBeTried(pod, record, inputs, spent);
  });
}

/** Those whose budget has refused them, and was seen to allow a disruption since. By UID. */
export const freedPods = (pods: readonly Pod[], { records, budgets }: Omit<AttemptInputs, 'now'>): string[] =>
  pods.map(uidOf).filter((uid) => {
    const record = records.get(uid);
    const budget = budgets.get(budgetKey(record?.namespace, record?.lastRefusal?.budget ?? ''));
    return budget !== undefined && isObserved(budget) && disruptionsAllowed(budget) > 0;
  });

/** `spent` counts the Pods already chosen of each budget. */
function mayBeTried(pod: Pod, record: PodRecord, inputs: AttemptInputs, spent: Map<string, number>): boolean {
  const isBackOffOver = !isBackingOff(record, inputs.now);
  const key = budgetKey(record.namespace, record.lastRefusal?.budget ?? '');
  const budget = record.lastRefusal?.budget === undefined ? undefined : inputs.budgets.get(key);
  // Nothing keeps the Pods of a budget that somebody has taken away.
  if (budget === undefined) return isBackOffOver || inputs.budgets.has(key);
  if (isBeyondBudgets(pod) || isUnguarded(pod, budget)) return true;
  const isFree = isObserved(budget) && disruptionsAllowed(budget) > 0;
  if (!isFree && !isBackOffOver) return false;
  // Asking a budget that is known to be closed is only a probe. One answer speaks for all its Pods.
  const limit = isFree ? disruptionsAllowed(budget) : 1;
  const before = spent.get(key) ?? 0;
  if (before >= limit) return false;
  spent.set(key, before + 1);
  return true;
}

/** A clock that was set back since, or another instance's far ahead, wrote this. It ends at no known time. */
const isBackingOff = ({ notBefore = 0, lastAttempt }: PodRecord, now: Instant): boolean =>
  notBefore > now && lastAttempt - now <= longestMilliseconds;

const shortestMilliseconds = 200;
const longestMilliseconds = 10_000;

export interface RefusedAttempt {
  /** What was known before this refusal. */
  known: PodRecord | undefined;
  /** Whether its budget was read and allows nothing. A watch shows when it does. */
  isClosed?: boolean;
  retryAfterSeconds: number | undefined;
  now: Instant;
  /** From 0 up to but not including 1. */
  random: () => number;
}

/**
 * When to try a refused Pod again: 100 to 200 ms after its first refusal. Each time takes twice as long, up to 5 to 10 s. It
 * is that long at once where the budget is known to be closed. A longer Retry-After is obeyed. An attempt before the last
 * backoff was over was made because the Pod's budget had freed: the backoff starts over.
 */
export function nextAttempt(refused: RefusedAttempt): Instant {
  const { known, isClosed = false, retryAfterSeconds = 0, now, random } = refused;
  const ceiling = isClosed ? longestMilliseconds : nextCeiling(known, now);
  // Never exactly half: so the ceiling can be told from the delay that was kept.
  const delay = Math.ceil(ceiling - (random() * ceiling) / 2);
  return now + Math.max(delay, retryAfterSeconds * 1000);
}

function nextCeiling(known: PodRecord | undefined, now: Instant): number {
  if (known?.outcome !== 'refused' || known.notBefore === undefined || now < known.notBefore) {
    return shortestMilliseconds;
  }
  const lastDelay = known.notBefore - known.lastAttempt;
  let ceiling = shortestMilliseconds;
  while (ceiling < lastDelay) ceiling *= 2;
  return Math.min(longestMilliseconds, ceiling * 2);
}
