import type { Instant } from '../../../../shared/time/clock.ts';
import type { Condition } from './objects.ts';

/** A time as metav1.Time writes it: RFC 3339, whole seconds. */
export function toTime(instant: Instant): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

export function conditionOf(
  conditions: readonly Condition[] | undefined,
  type: string,
): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function isTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return conditionOf(conditions, type)?.status === 'True';
}

/** The list with one condition set in its place; its transition time moves only when its status does. */
export function withCondition(
  conditions: readonly Condition[] | undefined,
  wanted: Condition,
  now: Instant,
): Condition[] {
  const before = conditionOf(conditions, wanted.type);
  const since = before?.status === wanted.status ? before.lastTransitionTime : undefined;
  const set: Condition = { ...wanted, lastTransitionTime: since ?? toTime(now) };
  if (before === undefined) return [...(conditions ?? []), set];
  return (conditions ?? []).map((condition) => (condition.type === wanted.type ? set : condition));
}
