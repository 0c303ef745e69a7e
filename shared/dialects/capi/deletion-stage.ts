import type { Condition } from '../../kubernetes/objects.ts';
import type { Instant } from '../../time/clock.ts';
import { recordAt } from '../fields.ts';

const staleMilliseconds = 15 * 60_000;
const slowDrainMilliseconds = 5 * 60_000;

/** What makes a drain slow, told by the sentences its message contains. */
const delays: readonly [cause: string, sentence: string][] = [
  ['PodDisruptionBudgets', "cannot evict pod as it would violate the pod's disruption budget."],
  ['Pods not terminating', 'deletionTimestamp set, but still not removed from the Node'],
  ['Pod eviction errors', 'failed to evict Pod'],
  ['Pods not completed yet', 'waiting for completion'],
];

interface StageInput {
  deleting: Condition | undefined;
  deletedAt: Instant | undefined;
  drainStartedAt: Instant | undefined;
  /** What Ready says so far. */
  said: string | undefined;
  now: Instant;
}

const inProgress = 'Machine deletion in progress';
const inProgressForLong = `${inProgress} since more than 15m`;
const delayed = 'delay likely due to';

/**
 * The Deleting part of Ready. It names no durations and no Pods, so that owners can put together what many Machines say.
 * That it lasts long is never taken back: an instance with a wrong clock would write the opposite, and each write is news to
 * both.
 */
export function deletionStage({ deleting, deletedAt, drainStartedAt, said, now }: StageInput): string {
  if (deleting === undefined) return inProgress;
  const stage = `stage: ${deleting.reason}`;
  if (said?.includes(inProgressForLong) !== true && !hasLasted(staleMilliseconds, deletedAt, now))
    return `${inProgress}, ${stage}`;
  const stale = `${inProgressForLong}, ${stage}`;
  const isSlow =
    said?.includes(`${stale}, ${delayed}`) === true || hasLasted(slowDrainMilliseconds, drainStartedAt, now);
  if (deleting.reason !== 'DrainingNode' || !isSlow) return stale;
  const causes = delaysIn(deleting.message ?? '');
  return causes.length === 0 ? stale : `${stale}, ${delayed} ${causes.join(', ')}`;
}

const delaysIn = (message: string): string[] =>
  delays.filter(([, sentence]) => message.includes(sentence)).map(([cause]) => cause);

const hasLasted = (milliseconds: number, since: Instant | undefined, now: Instant): boolean =>
  since !== undefined && now - since > milliseconds;

export function drainStart(deletion: unknown): Instant | undefined {
  const time = recordAt(deletion)['nodeDrainStartTime'];
  return typeof time === 'string' ? Date.parse(time) : undefined;
}
