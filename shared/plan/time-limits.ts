import { limitSecondsOf } from '../machine/machine.ts';
import { observeGate } from '../observe/gate.ts';
import type { Subject } from '../phase/definition.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import { limitStart } from '../phase/time-limit.ts';
import type { Instant } from '../time/clock.ts';
import { rfc3339Seconds } from '../time/rfc3339.ts';
import { afterwardsOf } from './afterwards.ts';
import type { PlannedLimit, PlannedPhase } from './deletion-plan.ts';
import { comingTo } from './plan-subject.ts';
import { orUnread } from './unread.ts';

const limited = ['drain', 'volume-detach', 'node'] as const;

/** When each step that is to come is given up, counted from where the deletion stands. */
export async function planLimits(
  snapshot: Snapshot,
  subject: Subject,
  phases: readonly PlannedPhase[],
): Promise<PlannedLimit[]> {
  const limits = await Promise.all(
    limited.map(async (phase) => {
      const does = phases.find((each) => each.phase === phase)?.does ?? 'passed';
      return does === 'passed' ? [] : planLimit(phase, snapshot, subject, does);
    }),
  );
  return limits.flat();
}

async function planLimit(
  phase: PlannedLimit['phase'],
  snapshot: Snapshot,
  subject: Subject,
  does: PlannedPhase['does'],
): Promise<PlannedLimit[]> {
  const seconds = limitSecondsOf(phase, subject.machine);
  // Of the Node alone a negative limit is one: it is over at once.
  if (seconds === 0 || (seconds < 0 && phase !== 'node')) return [];
  const now = snapshot.now();
  const coming = comingTo(phase, subject, now);
  if (does === 'skip' && !(await isTimedOut(phase, snapshot, coming))) return [];
  const limit = { phase, seconds: Math.max(0, seconds), afterwards: afterwardsOf[phase] };
  return [{ ...limit, ...standing(limit.seconds, coming, now) }];
}

/** A step that is passed over for another reason is not given up. */
async function isTimedOut(
  phase: PlannedLimit['phase'],
  snapshot: Snapshot,
  coming: Subject,
): Promise<boolean> {
  if (phase === 'node') return false;
  const gate = await orUnread(
    () => observeGate(snapshot, coming, phase),
    () => undefined,
  );
  return gate?.passing === 'timed-out';
}

function standing(
  seconds: number,
  coming: Subject,
  now: Instant,
): Pick<PlannedLimit, 'since' | 'givenUpAt' | 'leftSeconds'> {
  const startedAt = limitStart(coming);
  if (startedAt === undefined || startedAt >= now) return { leftSeconds: seconds };
  const end = startedAt + seconds * 1_000;
  return {
    since: rfc3339Seconds(startedAt),
    givenUpAt: rfc3339Seconds(end),
    leftSeconds: Math.max(0, Math.ceil((end - now) / 1_000)),
  };
}
