import type { EvictionAnswer } from '../kubernetes/client.ts';
import type { Node, PodDisruptionBudget } from '../kubernetes/objects.ts';
import type { Instant } from '../time/clock.ts';
import type { DrainPlan } from './plan.ts';
import type { PodRecord } from './pod-record.ts';

/** Where the drain of a Node stands, as far as one look tells. */
export interface ObservedDrain {
  kind: 'judged';
  node: Node;
  unreachable: boolean;
  plan: DrainPlan;
  /** Pods that have come back, by UID, with the time when they may be evicted again: until then they are for later. */
  resting: ReadonlyMap<string, Instant>;
  /** What is remembered of the drain's Pods, also of those that have gone. */
  remembered: ReadonlyMap<string, PodRecord>;
  /** The part of it that still says something about Pods that are there. */
  records: ReadonlyMap<string, PodRecord>;
  /** Answers to evictions of this look. */
  answers: ReadonlyMap<string, EvictionAnswer>;
  /** Budgets that have refused, by `namespace/name`; undefined where one is gone since. */
  budgets: ReadonlyMap<string, PodDisruptionBudget | undefined>;
  resourceVersion: string;
}
